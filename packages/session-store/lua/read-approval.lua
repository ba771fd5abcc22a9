-- KEYS[1]  approval key, see open-approval.lua
-- returns  {state, deadline, ticket, by, at}; nothing of it for an approval that is not known
return redis.call('HMGET', KEYS[1], 'state', 'deadline', 'ticket', 'by', 'at')
