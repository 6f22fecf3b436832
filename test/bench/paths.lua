-- wrk script: asks for the paths of a file, one a line, in their order and round and round.
local requests = {}
local place = tonumber(os.getenv('PATHS_FROM'))

function init()
  for path in io.lines(os.getenv('PATHS_FILE')) do
    requests[#requests + 1] = wrk.format('GET', path)
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end
