-- wrk script: JSON bodies that differ in every request, by the run's seed and a counter in place of "%d %d".
local body = os.getenv('JSON_BODY')
local seed = tonumber(os.getenv('JSON_SEED'))
local count = 0
local headers = {
  ['Content-Type'] = 'application/json',
  ['X-API-Key'] = os.getenv('JSON_KEY'),
}

function request()
  count = count + 1
  return wrk.format('POST', nil, headers, (body:gsub('SEED', seed):gsub('COUNT', count)))
end
