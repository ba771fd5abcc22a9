-- Whether the pod of a registered session has sent no recent heartbeat.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- ARGV[1]  session id
-- ARGV[2]  milliseconds without a beat after which a session counts as gone
-- returns  1 or 0
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[2])
local beat = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))
if beat and beat <= since then
  return 1
end
return 0
