import type { ChangeEvent } from '../../core/doors/front.ts'
import type { Exchange, MaybePromise, Operation, Reply, Scope } from '../../core/doors/plugin.ts'
import { SvcError } from '../../core/doors/plugin.ts'
import type { GraphQLApi, GraphQLRequest } from '../graphql/api.ts'
import type { LifecycleHooks } from './hooks/lifecycle-hooks.ts'
import { ComeBack } from './hub/come-back.ts'
import type { Hub } from './hub/hub.ts'
import { readEvents } from './hub/read-events.ts'
import { refuseNothing } from './hub/refuse-nothing.ts'
import type { Watch } from './hub/watch.ts'
import { type ArgumentFilter, argumentFilter } from './match/argument-filter.ts'
import type { SubscribedChange } from './match/context-variable.ts'
import { checksOf } from './match/row-checks.ts'
import { sharedBy } from './match/shared-by.ts'
import { subscriptionRoot } from './match/subscription-root.ts'
import { contextOf, type Target } from './match/target.ts'
import type { ReadQuota } from './session/read-quota.ts'
import type { SessionWatch } from './session/session-watch.ts'
import type { FollowRequest, Session, Subscriber, Subscriptions } from './transport/subscriptions.ts'

export interface ServiceParts {
  readonly scope: Pick<Scope, 'engine' | 'pipeline' | 'process'>
  readonly graphql: Pick<GraphQLApi, 'prepare' | 'renderErrors'>
  readonly hub: Hub
  readonly hooks: LifecycleHooks
  readonly sessions: SessionWatch
  readonly quota: ReadQuota
  readonly targetOf: (exchange: Exchange, operation: Operation) => Target
  readonly targetOfType: (type: FollowRequest['type']) => Target
  readonly deletesPastRls: boolean
  readonly withheld: () => void
  readonly superseded: () => void
  readonly connections: { count: number }
}

const NOTHING: Reply = { status: 204, headers: {}, body: null }

/** Creates the API through which all transports start subscriptions: WebSocket, server-sent events and others. */
export function createService(parts: ServiceParts): Subscriptions & { drain(): void } {
  const { scope, graphql, hub, hooks, sessions } = parts
  const drains = new Set<() => void>()
  const reading = {
    run: scope.engine.run,
    authorize: scope.engine.authorize,
    render: graphql.renderErrors,
    deletesPastRls: parts.deletesPastRls,
    withheld: parts.withheld,
    superseded: parts.superseded,
  }

  function watchOf(exchange: Exchange, operation: Operation): Watch {
    const target = parts.targetOf(exchange, operation)
    const given = argumentFilter(subscriptionRoot(operation.template), operation.variables)
    refuseUnfit(exchange, target, given)
    const context = target.usesContext ? contextOf(exchange) : null
    const checks = checksOf(target, given, (change) => watch.accepts(change))
    const watch: Watch = {
      target,
      operation,
      exchange,
      key: sharedBy(exchange, operation, context),
      accepts(change) {
        const type = target.types.get(change.event.entityType ?? '')
        if (type === undefined) return false
        const { condition, paths } = type.filter
        if (given !== null && !given.accepts(change, paths)) return false
        if (condition === null) return true
        if (context === null) return condition(change)
        const subscribed: SubscribedChange = { ...change, context }
        return condition(subscribed)
      },
      read: (reader, events) => readEvents(reader, operation, events, { ...reading, checks }),
    }
    return watch
  }

  /** Refuses a subscriber without a claim that the rules need, who would get an error per event. @throws the error of the read */
  async function refuseUnreadable(exchange: Exchange, { target, operation }: Watch): Promise<void> {
    for (const type of target.types.keys())
      await scope.engine.run(exchange, { ...operation, changed: { type, ids: [] } })
  }

  /** Counts a subscription for its connection and its caller until it ends. @throws SvcError VALIDATION_ERROR */
  async function held(
    exchange: Exchange,
    connection: string | null,
    { key }: Watch,
    add: () => Promise<Subscriber>,
  ): Promise<Subscriber> {
    const giveBack = parts.quota.take(exchange, connection, key)
    try {
      const subscriber = await add()
      return {
        end() {
          giveBack()
          subscriber.end()
        },
      }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  /** Prepares the same request for the present schema. */
  async function renewed(before: Exchange, request: GraphQLRequest): Promise<Watch> {
    let failure: unknown = null
    let made: Watch | null = null
    const renderError = (_ctx: Exchange, error: unknown): Reply => {
      failure = error
      return NOTHING
    }
    const { headers, address, auth } = before
    await scope.pipeline.enter({ transport: 'internal', headers, address, auth, renderError }, async (ctx) => {
      ctx.context = before.context
      const watch = watchOf(ctx, await graphql.prepare(ctx, request))
      await refuseUnreadable(ctx, watch)
      made = watch
      return NOTHING
    })
    if (made === null) throw failure ?? new SvcError('FORBIDDEN', 'Refused.')
    return made
  }

  return {
    async subscribe(exchange, request, operation, sink, connection): Promise<Subscriber> {
      const { operation: model } = subscriptionRoot(operation.template)
      const watch = watchOf(exchange, operation)
      refuseNothing(await scope.engine.authorize(exchange, operation))
      await refuseUnreadable(exchange, watch)
      if (hooks.asksSubscribe) await hooks.subscribe(connection, model.wireName, request.variables)
      const lastEventId = replayFrom(request, model.replay)
      return held(exchange, connection, watch, () =>
        hub.add(watch, sink, () => renewed(exchange, request), lastEventId),
      )
    },

    async follow({ exchange, type, operation, key, read, lastEventId }, sink): Promise<Subscriber> {
      const target = parts.targetOfType(type)
      const watch: Watch = {
        target,
        operation,
        exchange,
        key: `${key}|${sharedBy(exchange, operation, null)}`,
        accepts: () => true,
        read: (reader, events: readonly ChangeEvent[]) => read(reader, events),
      }
      // Its columns, filters and route belong to the earlier schema.
      const renew = (): Promise<Watch> => Promise.reject(new ComeBack())
      return held(exchange, null, watch, () => hub.add(watch, sink, renew, lastEventId))
    },

    watch: (session: Session, ended) => sessions.add(session, ended),

    connected(connection, params): MaybePromise<() => void> {
      const accept = (): (() => void) => {
        parts.connections.count++
        let isTold = false
        return () => {
          if (isTold) return
          isTold = true
          parts.connections.count--
          hooks.disconnect(connection)
        }
      }
      return hooks.asksConnect ? hooks.connect(connection, params).then(accept) : accept()
    },

    onDrain(listener) {
      drains.add(listener)
      return () => void drains.delete(listener)
    },

    drain() {
      for (const listener of [...drains]) listener()
    },
  }
}

/** Refuses an argument that no row can match, such as a malformed id, as it would wait forever. @throws SvcError BAD_USER_INPUT */
function refuseUnfit({ generation }: Exchange, { types }: Target, given: ArgumentFilter | null): void {
  if (given === null) return
  const problems = [...types].map(([name, { shape, filter }]) => {
    const type = generation.schema.types.get(name)
    return type?.kind === 'object' ? given.problem(type, shape, filter.paths) : null
  })
  const [problem] = problems
  if (problem !== undefined && problem !== null && !problems.includes(null)) {
    throw new SvcError('BAD_USER_INPUT', problem)
  }
}

/** Reads the id of the last event that the client received: `extensions: { lastEventId }`. @throws SvcError BAD_USER_INPUT */
function replayFrom({ extensions }: GraphQLRequest, isAllowed: boolean): string | null {
  const given = extensions?.lastEventId
  if (given === undefined || given === null) return null
  if (typeof given !== 'string') throw new SvcError('BAD_USER_INPUT', 'extensions.lastEventId is the id of an event.')
  if (!isAllowed)
    throw new SvcError('BAD_USER_INPUT', 'This subscription replays nothing: leave out extensions.lastEventId.')
  return given
}
