-- Reads a session of the console and restarts its idle timeout, but never beyond its deadline.
--
-- KEYS[1]  session key, see open-console-session.lua
-- ARGV[1]  milliseconds after which it expires if unused
-- returns  the session (JSON); nothing if it has expired
local found = redis.call('HMGET', KEYS[1], 'session', 'deadline')
if not found[1] then return false end
local now = redis.call('TIME')
local left = tonumber(found[2]) - (now[1] * 1000 + math.floor(now[2] / 1000))
if left <= 0 then
  redis.call('DEL', KEYS[1])
  return false
end
redis.call('PEXPIRE', KEYS[1], math.min(tonumber(ARGV[1]), left))
return found[1]
