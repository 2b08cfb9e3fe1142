import type { Mutant } from './mutant.ts'

const TENANTS = ['test/plugins/sse/tenants.test.ts']
const TOPICS = ['test/plugins/observers/mariadb-topics.test.ts']
const SUBSCRIBER = ['test/bench/judge-subscriber.test.ts']

/** Events that are told: over streams, over buses, and what a run under chaos makes of them. */
export const EVENTS: readonly Mutant[] = [
  {
    fault: 'A browser that comes back begins anew',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'isReplayed ? withLastEvent(ctx, given) : given',
    replace: 'isReplayed ? given : given',
    tests: TENANTS,
  },
  {
    fault: 'What replays nothing refuses browsers that come back',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'isReplayed ? withLastEvent(ctx, given) : given',
    replace: 'withLastEvent(ctx, given)',
    tests: TENANTS,
  },
  {
    fault: 'Nobody is told that a stream has ended',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'body.whenOver(await subscriptions.connected(connection, null))',
    replace: 'await subscriptions.connected(connection, null)',
    tests: TENANTS,
  },
  {
    fault: 'What is kept no more is left out in silence',
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
    fault: 'A subscriber may be told twice',
    file: 'bench/lib/chaos/judge-subscriber.ts',
    find: 'if (seen.has(eventId)) found(',
    replace: 'if (seen.has(eventId) && item === eventId) found(',
    tests: SUBSCRIBER,
  },
]
