-- Counts an organization's sessions whose pod has sent a recent heartbeat.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- ARGV[1]  milliseconds without a beat after which a session counts as gone
-- ARGV[2]  up to how many it does not matter whose pods are gone
-- returns  the number
local registered = redis.call('ZCARD', KEYS[3])
if registered <= tonumber(ARGV[2]) then
  return registered
end
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[1])
local live = 0
for _, id in ipairs(redis.call('ZRANGE', KEYS[3], 0, -1)) do
  local beat = tonumber(redis.call('ZSCORE', KEYS[1], id))
  if beat and beat > since then
    live = live + 1
  end
end
return live
