-- wrk script: multipart uploads whose file differs in every request. Eight bytes at UPLOAD_VARY_AT hold the
-- run's seed and a counter, in the digits 1 to 250, which are valid in a JPEG quantisation table.
local file = assert(io.open(os.getenv('UPLOAD_FILE'), 'rb'))
local sample = file:read('*a')
file:close()

local boundary = 'holdall-bench'
local at = tonumber(os.getenv('UPLOAD_VARY_AT'))
local seed = tonumber(os.getenv('UPLOAD_SEED'))
local count = 0

local head = '--' .. boundary .. '\r\nContent-Disposition: form-data; name="file"; filename="' .. os.getenv('UPLOAD_NAME')
  .. '"\r\nContent-Type: ' .. os.getenv('UPLOAD_TYPE') .. '\r\n\r\n' .. sample:sub(1, at)
local tail = sample:sub(at + 9) .. '\r\n--' .. boundary .. '--\r\n'
local headers = {
  ['Content-Type'] = 'multipart/form-data; boundary=' .. boundary,
  ['X-API-Key'] = os.getenv('UPLOAD_KEY'),
}

local function digits(number)
  local d = function(place) return 1 + math.floor(number / 250 ^ place) % 250 end
  return string.char(d(0), d(1), d(2), d(3))
end

function request()
  count = count + 1
  return wrk.format('POST', nil, headers, head .. digits(seed) .. digits(count) .. tail)
end
