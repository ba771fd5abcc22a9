-- Stores a ticket under a new token's hash and tells until when it can be redeemed, on Redis' clock.
--
-- Safe to resend: the same ticket is written again, with a deadline that is later by the time the resend took.
--
-- KEYS[1]  ticket key
-- ARGV[1]  ticket (JSON)
-- ARGV[2]  milliseconds until the token expires
-- ARGV[3]  milliseconds for which an expired ticket is kept, so that it is told apart from one that never was
-- returns  the deadline in milliseconds since 1970
local now = redis.call('TIME')
local deadline = now[1] * 1000 + math.floor(now[2] / 1000) + tonumber(ARGV[2])
redis.call('SET', KEYS[1], string.format('%.0f:%s', deadline, ARGV[1]), 'PX', ARGV[2] + ARGV[3])
return deadline
