-- Opens an approval, and tells until when it can be decided, on Redis' clock.
--
-- Safe to resend: one that is there stays as it is.
--
-- KEYS[1]  approval key, a hash: ticket, opened, deadline, state; once decided also by, at, attempt
-- KEYS[2]  deadlines of all that wait, a sorted set of approval ids
-- ARGV[1]  approval id
-- ARGV[2]  ticket (JSON)
-- ARGV[3]  milliseconds until the deadline
-- ARGV[4]  milliseconds for which the approval is remembered after its deadline
-- returns  the deadline in milliseconds since 1970
local known = redis.call('HGET', KEYS[1], 'deadline')
if known then
  return tonumber(known)
end
local now = redis.call('TIME')
local opened = now[1] * 1000 + math.floor(now[2] / 1000)
local deadline = opened + tonumber(ARGV[3])
local text = string.format('%.0f', deadline)
redis.call('HSET', KEYS[1], 'ticket', ARGV[2], 'opened', string.format('%.0f', opened), 'deadline', text, 'state', 'waiting')
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', deadline + tonumber(ARGV[4])))
redis.call('ZADD', KEYS[2], text, ARGV[1])
return deadline
