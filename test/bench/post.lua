-- wrk script: posts the same JSON again and again, which makes something new each time.
wrk.method = 'POST'
wrk.body = os.getenv('POST_BODY')
wrk.headers['Content-Type'] = 'application/json'
wrk.headers['X-API-Key'] = os.getenv('POST_KEY')
