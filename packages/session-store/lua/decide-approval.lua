-- Decides an approval: of any number of racing attempts exactly one does. The deadline is judged here, on Redis' clock: from then on an approval
-- can only expire, and before it cannot.
--
-- Safe to resend: the approval names the attempt that decided it, and the same attempt gets the same answer again.
--
-- KEYS[1]  approval key, see open-approval.lua
-- KEYS[2]  deadlines of all that wait
-- ARGV[1]  approval id
-- ARGV[2]  approved, rejected, cancelled or expired
-- ARGV[3]  who decides (JSON)
-- ARGV[4]  attempt id, new for each attempt and equal in its resends
-- ARGV[5]  milliseconds for which the decision is remembered
-- returns  {'decided', ticket, milliseconds since the deadline, milliseconds since it was opened}, {'early', milliseconds left},
--          {'late', the state that it has, if this attempt made it expire also its age} or {'unknown'}
local stored = redis.call('HMGET', KEYS[1], 'state', 'deadline', 'ticket', 'attempt', 'at', 'opened')
local state, deadline, ticket = stored[1], tonumber(stored[2]), stored[3]
local opened = tonumber(stored[6] or stored[2])
if not state then
  redis.call('ZREM', KEYS[2], ARGV[1])
  return { 'unknown' }
end
if state ~= 'waiting' then
  if stored[4] == ARGV[4] and state == ARGV[2] then
    return { 'decided', ticket, tonumber(stored[5]) - deadline, tonumber(stored[5]) - opened }
  end
  return { 'late', state }
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ARGV[2] == 'expired' and now < deadline then
  return { 'early', deadline - now }
end
local decision, by = ARGV[2], ARGV[3]
if now >= deadline then
  decision, by = 'expired', 'null'
end
redis.call('HSET', KEYS[1], 'state', decision, 'by', by, 'at', string.format('%.0f', now), 'attempt', ARGV[4])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('ZREM', KEYS[2], ARGV[1])
if decision ~= ARGV[2] then
  return { 'late', decision, now - opened }
end
return { 'decided', ticket, now - deadline, now - opened }
