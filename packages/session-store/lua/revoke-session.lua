-- Marks a live session of an organization as revoked: its pod finds out with its next beat at the
-- latest.
--
-- Safe to resend.
--
-- KEYS[1]  last beats, see beat-sessions.lua
-- KEYS[2]  sessions
-- KEYS[3]  the organization's sessions
-- KEYS[4]  revoked sessions
-- ARGV[1]  session id
-- ARGV[2]  milliseconds without a beat after which a session counts as gone
-- ARGV[3]  milliseconds to keep a mark
-- returns  the session (JSON), or nothing if the organization has no such live session
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local beat = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))
if not beat or beat <= now - tonumber(ARGV[2]) or not redis.call('ZSCORE', KEYS[3], ARGV[1]) then
  return false
end
redis.call('ZREMRANGEBYSCORE', KEYS[4], '-inf', string.format('%.0f', now - tonumber(ARGV[3])))
redis.call('ZADD', KEYS[4], string.format('%.0f', now), ARGV[1])
return redis.call('HGET', KEYS[2], ARGV[1])
