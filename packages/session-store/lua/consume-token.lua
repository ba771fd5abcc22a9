-- Redeems a one-time token: of any number of concurrent attempts, exactly one gets the ticket. With
-- the keys of live sessions, also registers the session, as beat-sessions.lua does.
--
-- Safe to resend: the tombstone names the winning attempt, and the same attempt gets the ticket
-- again for as long as the receipt is kept. So a lost reply does not cost the user the session.
--
-- KEYS[1]  ticket key: "<deadline ms>:<ticket JSON>"
-- KEYS[2]  tombstone key: "<outcome>:<attempt>" of the token
-- KEYS[3]  receipt key: the ticket, for a resend of the winning attempt
-- KEYS[4]  last beats, see beat-sessions.lua
-- KEYS[5]  sessions
-- ARGV[1]  attempt id, new for each connect and the same in its resends; also the session's id
-- ARGV[2]  milliseconds to keep the tombstone
-- ARGV[3]  milliseconds to keep the receipt
-- ARGV[4]  what the key of an organization's sessions begins with; the ticket names the organization
-- ARGV[5]  the session's pod
-- ARGV[6]  its start, as an ISO 8601 date
-- ARGV[7]  the address of its pod; '' if it has none
-- returns  {'redeemed', ticket}, and how many sessions of the organization are registered now;
--          {'consumed'}, {'expired'} or {'unknown'}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function redeemed(ticket)
  if not KEYS[4] then
    return { 'redeemed', ticket }
  end
  local id, known = ARGV[1], cjson.decode(ticket)
  local session = {
    id = id,
    organizationId = known.organizationId,
    agentId = known.agentId,
    conversationId = known.conversationId,
    pod = ARGV[5],
    startedAt = ARGV[6],
    address = ARGV[7] ~= '' and ARGV[7] or nil,
  }
  local organization = ARGV[4] .. known.organizationId
  local at = string.format('%.0f', now)
  redis.call('ZADD', KEYS[4], at, id)
  redis.call('HSET', KEYS[5], id, cjson.encode(session))
  redis.call('ZADD', organization, at, id)
  return { 'redeemed', ticket, redis.call('ZCARD', organization) }
end

local stored = redis.call('GETDEL', KEYS[1])
if stored then
  local at = string.find(stored, ':', 1, true)
  local deadline, ticket = tonumber(string.sub(stored, 1, at - 1)), string.sub(stored, at + 1)
  if now >= deadline then
    redis.call('SET', KEYS[2], 'expired:' .. ARGV[1], 'PX', ARGV[2])
    return { 'expired' }
  end
  redis.call('SET', KEYS[2], 'consumed:' .. ARGV[1], 'PX', ARGV[2])
  redis.call('SET', KEYS[3], ticket, 'PX', ARGV[3])
  return redeemed(ticket)
end
local tombstone = redis.call('GET', KEYS[2])
if not tombstone then
  return { 'unknown' }
end
if tombstone == 'consumed:' .. ARGV[1] then
  local receipt = redis.call('GET', KEYS[3])
  if receipt then
    return redeemed(receipt)
  end
end
return { string.sub(tombstone, 1, string.find(tombstone, ':', 1, true) - 1) }
