import type { Mutant } from './mutant.ts'

const ABSENCE = ['test/plugins/subscriptions/absence.test.ts']
const LANGUAGE = ['test/core/expression/absence.test.ts']

const ENDS = ['test/plugins/subscriptions/credential-end.test.ts']

const HUB = ['test/plugins/subscriptions/hub.test.ts']
const GAPS = ['test/plugins/subscriptions/topic-gap.test.ts']
const CHANGES = ['test/plugins/sse/changes.test.ts']
const FILTERS = ['test/plugins/subscriptions/filters.test.ts']
const BUS = ['test/core/engine/changes/in-process-bus.test.ts']
const LIMITS = ['test/plugins/subscriptions/limits.test.ts']
const GRID = ['test/conformance/access/streams.test.ts']

/** Faults of subscriptions and streams, and of the conditions that decide about them. */
export const SUBSCRIPTIONS: readonly Mutant[] = [
  {
    fault: 'Absence: a filter with context compares like one of rows',
    file: 'core/engine/changes/condition.ts',
    find: 'shape.find(name) === undefined && more.has(name)',
    replace: 'shape.find(name) !== undefined && more.has(name)',
    tests: ABSENCE,
  },
  {
    fault: 'Absence: only the caller has to be known, the row may lack the value',
    file: 'core/expression/absence.ts',
    find: '!isNullTest(node) ? pathsOf(node) : []',
    replace: '!isNullTest(node) ? pathsOf(node).filter(({ names }) => caller.has(names[0]!)) : []',
    tests: LANGUAGE,
  },
  {
    fault: 'Absence: a negated test of an absent value holds',
    file: 'core/expression/compile-expression.ts',
    find: '!needed.some((read) => isAbsent(read(of, now))) && truth(value(of, now)) !== negated',
    replace: '(!needed.some((read) => isAbsent(read(of, now))) && truth(value(of, now))) !== negated',
    tests: LANGUAGE,
  },
  {
    fault: 'Absence: undefined counts as a value',
    file: 'core/expression/absence.ts',
    find: 'return value === null || value === undefined',
    replace: 'return value === null',
    tests: LANGUAGE,
  },
  {
    fault: 'Absence: a test for null needs a value',
    file: 'core/expression/absence.ts',
    find: "side.kind === 'constant' && side.value === null",
    replace: "side.kind === 'constant' && side.value === undefined",
    tests: LANGUAGE,
  },
  {
    fault: 'Absence: a subscription that cannot be read begins',
    file: 'plugins/subscriptions/service.ts',
    find: '      await refuseUnreadable(exchange, watch)\n',
    replace: '',
    tests: ABSENCE,
  },
  {
    fault: 'Absence: a stream of a resource that cannot be read begins',
    file: 'plugins/sse/serve-rest.ts',
    find: '    await refuseUnreadable(exchange, samples)\n',
    replace: '',
    tests: ABSENCE,
  },
  {
    fault: 'Absence: the statement of no rows is not bound',
    file: 'core/engine/execute/changes/resolve-changed-rows.ts',
    find: 'if (prepared.statement !== null) prepared.bind',
    replace: 'if (prepared.statement === null) prepared.bind',
    tests: ABSENCE,
  },
  {
    fault: 'End of a credential: 4401, which is final for clients',
    file: 'plugins/subscriptions/connection/connection.ts',
    find: 'end === CLOSE.unauthorized ? CLOSE.forbidden : end',
    replace: 'end',
    tests: ENDS,
  },
  {
    fault: 'End of a credential: an error in a GraphQL stream, which is final for clients',
    file: 'plugins/sse/serve-graphql.ts',
    find: 'subscriptions.watch(session, () => body.away())',
    replace: 'subscriptions.watch(session, (error) => body.fail(error))',
    tests: ENDS,
  },
  {
    fault: 'End of a credential: a stream of a resource goes on',
    file: 'plugins/sse/serve-rest.ts',
    find: 'headers, address, auth }, () => body.away())',
    replace: 'headers, address, auth }, () => {})',
    tests: ENDS,
  },
  {
    fault: 'A socket under the policy "public" is open, whatever its operations want',
    file: 'plugins/subscriptions/mount-sockets.ts',
    find: '!isOpen.of(generation)',
    replace: "policy !== 'public' && !isOpen.of(generation)",
    tests: ENDS,
  },
  {
    fault: 'Limits: work that waited begins in the same turn of the event loop',
    file: 'plugins/subscriptions/hub/reader.ts',
    find: 'else setImmediate(next)',
    replace: 'else next()',
    tests: LIMITS,
  },
  {
    fault: 'Limits: a turn that fails is never given back',
    file: 'plugins/subscriptions/hub/reader.ts',
    find: '    } finally {\n      end()\n    }',
    replace: '    } finally {\n    }',
    tests: LIMITS,
  },
  {
    fault: 'Limits: readers take no turns',
    file: 'plugins/subscriptions/hub/hub.ts',
    find: 'begin: () => this.#turns.begin(),',
    replace: 'begin: async () => () => {},',
    tests: HUB,
  },
  {
    fault: 'Limits: ended subscriptions still count',
    file: 'plugins/subscriptions/service.ts',
    find: '          giveBack()\n          subscriber.end()',
    replace: '          subscriber.end()',
    tests: LIMITS,
  },
  {
    fault: 'Limits: one of two equal subscriptions frees both',
    file: 'plugins/subscriptions/session/read-quota.ts',
    find: 'if (left > 0) held!.set(key, left)',
    replace: 'if (left > 1) held!.set(key, left)',
    tests: LIMITS,
  },
  {
    fault: 'Limits: a subject that is called like an address is that address',
    file: 'plugins/subscriptions/session/read-quota.ts',
    find: '`subject ${auth.subject}`',
    replace: '`address ${auth.subject}`',
    tests: LIMITS,
  },
  {
    fault: 'Limits: streams of resources are not counted',
    file: 'plugins/subscriptions/service.ts',
    find: 'return held(exchange, null, watch, () => hub.add(watch, sink, renew, lastEventId))',
    replace: 'return hub.add(watch, sink, renew, lastEventId)',
    tests: LIMITS,
  },
  {
    fault: 'Gaps: a channel of PostgreSQL that is heard again says nothing of its interruption',
    file: 'plugins/postgres/wire/listener.ts',
    find: '        for (const onGap of listeners.values()) onGap()\n',
    replace: '',
    tests: GAPS,
  },
  {
    fault: 'Gaps: a subject of Redis that is heard again says nothing of its interruption',
    file: 'plugins/observers/bus/redis-topics.ts',
    find: 'if (!isFirst) setImmediate',
    replace: 'if (isFirst) setImmediate',
    tests: GAPS,
  },
  {
    fault: 'Gaps: a subject of NATS that is heard again says nothing of its interruption',
    file: 'plugins/observers/bus/nats-bus.ts',
    find: 'onReconnect(connection, gap)',
    replace: 'onReconnect(connection, () => {})',
    tests: GAPS,
  },
  {
    fault: 'Gaps: an interruption of a topic ends all subscriptions',
    file: 'plugins/subscriptions/index.ts',
    find: 'hub.lostAll((target) => target.channel === channel)',
    replace: 'hub.lostAll()',
    tests: GAPS,
  },
  {
    fault: 'Deletes: a stream shows a row that is gone to callers whom a rule keeps from it',
    file: 'plugins/sse/serve-rest.ts',
    find: "if (text !== null && text !== 'null') return text",
    replace: 'return text ?? before',
    tests: CHANGES,
  },
  {
    fault: 'Deletes: a stream tells the id of a row that a rule hides',
    file: 'plugins/sse/serve-rest.ts',
    find: 'return isRuled || ',
    replace: 'return ',
    tests: CHANGES,
  },
  {
    fault: 'Deletes: rules of the query do not hold for a row that is gone',
    file: 'core/engine/execute/changes/resolve-changed-rows.ts',
    find: "if (subscription.kind === 'query') return subscription",
    replace: "if (subscription.kind === 'query') return { ...subscription, inject: [] }",
    tests: CHANGES,
  },
  {
    fault: 'A malformed id is waited for',
    file: 'plugins/subscriptions/service.ts',
    find: '    refuseUnfit(exchange, target, given)\n',
    replace: '',
    tests: FILTERS,
  },
  {
    fault: 'In-process bus: an ended listener receives messages published in the same turn',
    file: 'core/engine/changes/in-process-bus.ts',
    find: 'if (isOpen) listener(',
    replace: 'listener(',
    tests: BUS,
  },
  {
    fault: 'In-process bus: a listener that fails ends the publication',
    file: 'core/engine/changes/in-process-bus.ts',
    find: '        this.#failed(error)',
    replace: '        throw error',
    tests: BUS,
  },
  {
    fault: 'Grid: an operation on a socket lacks the context set when the connection was accepted',
    file: 'plugins/subscriptions/connection/socket-operation.ts',
    find: '      ctx.context = { ...context, ...ctx.context }\n',
    replace: '',
    tests: GRID,
  },
  {
    fault: 'Grid: a stream of a resource tells of a deleted row that the database may hide',
    file: 'plugins/sse/serve-rest.ts',
    find: 'if (access !== undefined && access.settings.length > 0) return null',
    replace: 'if (access === undefined) return null',
    tests: GRID,
  },
  {
    fault: 'Grid: a subscription tells of a deleted row that the database may hide',
    file: 'plugins/subscriptions/hub/read-events.ts',
    find: 'return access !== undefined && access.settings.length > 0',
    replace: 'return access === undefined',
    tests: GRID,
  },
  {
    fault: 'Grid: rows for a subscriber are read without its context',
    file: 'plugins/subscriptions/hub/create-reads.ts',
    find: '        ctx.context = context\n',
    replace: '',
    tests: GRID,
  },
  {
    fault: 'Grid: two callers whose rights differ share a reader',
    file: 'plugins/subscriptions/hub/create-reads.ts',
    find: "return authorized.access?.key ?? ''",
    replace: "return ''",
    tests: GRID,
  },
]
