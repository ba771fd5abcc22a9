-- Redeems a one-time token: of any number of concurrent attempts, exactly one gets the ticket.
--
-- Safe to resend: the tombstone names the winning attempt, and the same attempt gets the ticket
-- again for as long as the receipt is kept. So a lost reply does not cost the user the session.
--
-- KEYS[1]  ticket key: "<deadline ms>:<ticket JSON>"
-- KEYS[2]  tombstone key: "<outcome>:<attempt>" of the token
-- KEYS[3]  receipt key: the ticket, for a resend of the winning attempt
-- ARGV[1]  attempt id, new for each connect and the same in its resends
-- ARGV[2]  milliseconds to keep the tombstone
-- ARGV[3]  milliseconds to keep the receipt
-- returns  {'redeemed', ticket}, {'consumed'}, {'expired'} or {'unknown'}
local stored = redis.call('GETDEL', KEYS[1])
if stored then
  local at = string.find(stored, ':', 1, true)
  local deadline, ticket = tonumber(string.sub(stored, 1, at - 1)), string.sub(stored, at + 1)
  local now = redis.call('TIME')
  if now[1] * 1000 + math.floor(now[2] / 1000) >= deadline then
    redis.call('SET', KEYS[2], 'expired:' .. ARGV[1], 'PX', ARGV[2])
    return { 'expired' }
  end
  redis.call('SET', KEYS[2], 'consumed:' .. ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[3], ticket, 'PX', ARGV[3])
  return { 'redeemed', ticket }
end
local tombstone = redis.call('GET', KEYS[2])
if not tombstone then
  return { 'unknown' }
end
if tombstone == 'consumed:' .. ARGV[1] then
  local receipt = redis.call('GET', KEYS[3])
  if receipt then
    return { 'redeemed', receipt }
  end
end
return { string.sub(tombstone, 1, string.find(tombstone, ':', 1, true) - 1) }
