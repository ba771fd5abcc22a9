-- Some of the organization's sessions, oldest first: those whose pod has sent a recent heartbeat.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- ARGV[1]  milliseconds without a beat after which a session counts as gone
-- ARGV[2]  how many of the organization's sessions to pass over
-- ARGV[3]  how many of those that follow to look at
-- ARGV[4]  how many live ones among them not to return
-- ARGV[5]  how many live ones to return at most
-- returns  how many were looked at, how many of them are live, and then the sessions (JSON)
local time = redis.call('TIME')
local since = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[1])
local first = tonumber(ARGV[2])
local ids = redis.call('ZRANGE', KEYS[3], first, first + tonumber(ARGV[3]) - 1)
if #ids == 0 then
  return {0, 0}
end
local skip, most = tonumber(ARGV[4]), tonumber(ARGV[5])
local live, wanted = 0, {}
for n, beat in ipairs(redis.call('ZMSCORE', KEYS[1], unpack(ids))) do
  if beat and tonumber(beat) > since then
    live = live + 1
    if live > skip and live <= skip + most then
      wanted[#wanted + 1] = ids[n]
    end
  end
end
if #wanted == 0 then
  return {#ids, live}
end
return {#ids, live, unpack(redis.call('HMGET', KEYS[2], unpack(wanted)))}
