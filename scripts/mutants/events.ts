import type { Mutant } from './mutant.ts'

const TENANTS = ['test/plugins/sse/tenants.test.ts']
const TOPICS = ['test/plugins/observers/mariadb-topics.test.ts']
const GAPS = ['test/plugins/observers/outbox-gaps.test.ts']
const HAND_OVER = ['test/plugins/observers/hand-over.test.ts']
const ELSEWHERE = ['test/plugins/observers/elsewhere.test.ts']
const SUBSCRIBER = ['test/bench/judge-subscriber.test.ts']

/** Events: over streams, over buses, and the verdict of a chaos run. */
export const EVENTS: readonly Mutant[] = [
  {
    fault: 'A browser that comes back begins anew',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'isReplayed ? withLastEvent(ctx, given) : given',
    replace: 'isReplayed ? given : given',
    tests: TENANTS,
  },
  {
    fault: 'A stream without replay refuses reconnecting browsers',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'isReplayed ? withLastEvent(ctx, given) : given',
    replace: 'withLastEvent(ctx, given)',
    tests: TENANTS,
  },
  {
    fault: 'The end of a stream is not reported',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'body.whenOver(await subscriptions.connected(connection, null))',
    replace: 'await subscriptions.connected(connection, null)',
    tests: TENANTS,
  },
  {
    fault: 'Expired events are skipped without a sign',
    file: 'plugins/observers/sql/sql-source.ts',
    find: 'isTooOld: BigInt(after) < (await removed(database()))',
    replace: 'isTooOld: BigInt(after) > (await removed(database()))',
    tests: TENANTS,
  },
  {
    fault: 'A table of messages that begins anew is not heard',
    file: 'plugins/observers/bus/mariadb-topics.ts',
    find: 'if (at === 0n) return false',
    replace: 'if (at !== null) return false',
    tests: TOPICS,
  },
  {
    fault: 'A subscriber may receive an event twice',
    file: 'bench/lib/chaos/judge-subscriber.ts',
    find: 'if (seen.has(eventId)) found(',
    replace: 'if (seen.has(eventId) && item === eventId) found(',
    tests: SUBSCRIBER,
  },
  {
    fault: 'A gap of the outbox is not held open by its writers',
    file: 'plugins/observers/sql/open-writers.ts',
    find: "mode = 'RowExclusiveLock'",
    replace: "mode = 'ShareLock'",
    tests: GAPS,
  },
  {
    fault: 'The first of several open transactions that ends decides a gap',
    file: 'plugins/observers/sql/open-writers.ts',
    find: 'if (transactions.has(open)',
    replace: 'if (open === [...transactions][0]',
    tests: GAPS,
  },
  {
    fault: 'A writer to any table holds a gap open',
    file: 'plugins/observers/sql/open-writers.ts',
    find: 'AND relation = to_regclass($1)',
    replace: 'AND $1::text IS NOT NULL',
    tests: GAPS,
  },
  {
    fault: 'A lane is taken for empty when its delivery was taken out by another relay',
    file: 'plugins/observers/sql/sql-deliveries.ts',
    find: "SELECT EXISTS (SELECT FROM svc_event_deliveries WHERE lane = $2 AND id <> $1::bigint AND status = 'waiting')::text",
    replace: 'SELECT EXISTS (SELECT FROM gone)::text',
    tests: HAND_OVER,
  },
  {
    fault: 'A relay that has lost its turn takes deliveries out',
    file: 'plugins/observers/sql/sql-deliveries.ts',
    find: 'WHERE id = $1::bigint AND EXISTS (SELECT FROM held) RETURNING id',
    replace: 'WHERE id = $1::bigint RETURNING id',
    tests: HAND_OVER,
  },
  {
    fault: 'A relay that has lost its turn puts a delivery off',
    file: 'plugins/observers/sql/sql-deliveries.ts',
    find: 'AND holder = $5)`',
    replace: 'AND $5::text IS NOT NULL)`',
    tests: HAND_OVER,
  },
  {
    fault: 'A delivery that ended during a read of the store is repeated',
    file: 'plugins/observers/deliver/dispatcher.ts',
    find: ' && !ended.has(id)',
    replace: '',
    tests: HAND_OVER,
  },
  {
    fault: 'Deliveries of an earlier turn continue in the next one',
    file: 'plugins/observers/deliver/dispatcher.ts',
    find: 'if (!this.#isOpen || turn.aborted) throw new NotActive()',
    replace: 'if (!this.#isOpen) throw new NotActive()',
    tests: HAND_OVER,
  },
  {
    fault: 'A path that hangs holds up the other observers of its host',
    file: 'plugins/observers/deliver/delivery.ts',
    find: "type === 'webhook' || type === 'chat' ?",
    replace: "type === 'none' ?",
    tests: HAND_OVER,
  },
  {
    fault: 'A trigger writes to the outbox that the search_path of the writer finds',
    file: 'plugins/observers/trigger-sql.ts',
    find: 'INSERT INTO %schema.svc_outbox',
    replace: 'INSERT INTO svc_outbox',
    tests: ELSEWHERE,
  },
]
