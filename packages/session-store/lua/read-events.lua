-- The events of an organization after a position in its stream, and the position to read from next.
-- Positions are ids of the stream; one without an event is a time on Redis' clock.
--
-- The events are complete if nothing was ever trimmed and the stream has existed since then (the
-- position is younger than the time for which the stream is kept), or if an event older than the
-- position still exists.
--
-- KEYS[1]  stream
-- ARGV[1]  position; empty for the current one
-- ARGV[2]  minimum number of events to keep: a shorter stream was never trimmed
-- ARGV[3]  milliseconds to keep the stream after its last event
-- returns  whether the events are complete (1 or 0), the next position, and the events, id and fields
local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end

local function isLater(one, other)
  local ms, seq = parts(one)
  local otherMs, otherSeq = parts(other)
  return ms > otherMs or (ms == otherMs and seq > otherSeq)
end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- Clocks may go back slightly, so the last second without an event is not over yet.
local place = string.format('%.0f-0', now - 1000)
local newest = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
if newest and isLater(newest[1], place) then
  place = newest[1]
end
local asked = ARGV[1]
if asked == '' then
  return {1, place, {}}
end
if isLater(asked, place) then
  -- The position comes from another Redis, or was made up.
  return {0, place, {}}
end
local oldest = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1]
local isRecent = now - parts(asked) < tonumber(ARGV[3])
local isUntrimmed = redis.call('XLEN', KEYS[1]) < tonumber(ARGV[2])
if (isRecent and isUntrimmed) or (oldest and not isLater(oldest[1], asked)) then
  return {1, place, redis.call('XRANGE', KEYS[1], '(' .. asked, '+')}
end
return {0, place, {}}
