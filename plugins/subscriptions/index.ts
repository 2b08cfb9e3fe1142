import { changes, type SubscriptionModel, settlesWithin } from '../../core/doors/front.ts'
import {
  type Auth,
  definePlugin,
  type Exchange,
  type ObjectType,
  type SchemaModel,
  SvcError,
} from '../../core/doors/plugin.ts'
import type {} from '../graphql/api.ts'
import type { Tokens } from '../jwt/api.ts'
import type {} from '../observers/api.ts'
import type {} from '../token-revocation/api.ts'
import { createLocalEvents, type FollowedEvents } from './events/local-events.ts'
import { createHooks } from './hooks/lifecycle-hooks.ts'
import { createReads } from './hub/create-reads.ts'
import { Hub } from './hub/hub.ts'
import manifest from './manifest.ts'
import { openChannels } from './match/channels.ts'
import { subscriptionRoot } from './match/subscription-root.ts'
import { type Target, targetOf, targetOfType } from './match/target.ts'
import { mountSockets } from './mount-sockets.ts'
import type { SubscriptionsOptions } from './options.ts'
import { createService } from './service.ts'
import { ReadQuota } from './session/read-quota.ts'
import { SessionWatch } from './session/session-watch.ts'

/** How long the start waits for the channels of topics. */
const LISTEN_MS = 1000

/**
 * The plugin for GraphQL subscriptions. It sends committed changes to subscribers, with only the rows and fields that
 * each may see (docs/plugins/subscriptions.md).
 */
export default definePlugin<SubscriptionsOptions>(manifest, async (scope, options) => {
  const graphql = scope.use('graphql')
  const events: FollowedEvents =
    scope.use('events', { optional: true }) ?? createLocalEvents(scope, await changes.loadInProcessBus())
  const tokens = scope.use('tokens', { optional: true })
  graphql.enableSubscriptions()
  // Without a backend of observers, events come from the workers of this service, as they happen.
  events.want((schema) => [...schema.subscriptions.values()].flatMap((model) => entitiesOf(model, schema)))

  const targets = scope.perGeneration((schema) => {
    refuseForgetful(schema, events)
    return new Map([...schema.subscriptions.values()].map((model) => [model, targetOf(model, schema)]))
  })
  const ofTypes = new WeakMap<ObjectType, Target>()

  const told = scope.metrics.counter('svc_subscriptions_events_total')
  const reads = scope.metrics.counter('svc_subscriptions_reads_total')
  const lost = scope.metrics.counter('svc_subscriptions_lost_total')
  const withheld = scope.metrics.counter('svc_subscriptions_withheld_total')
  const superseded = scope.metrics.counter('svc_subscriptions_superseded_total')
  const latency = scope.metrics.histogram('svc_subscriptions_latency_ms')
  const connections = { count: 0 }
  const { accessKey, isStale, read, failed } = createReads(scope, () => reads.add())
  const hub = new Hub({
    events,
    accessKey,
    isStale,
    read,
    failed,
    readsAtOnce: options.reads_at_once,
    sent: ({ time }) => {
      told.add()
      latency.observe(Math.max(0, Date.now() - Date.parse(time)))
    },
    lost: () => lost.add(),
  })
  scope.metrics.gauge('svc_subscriptions_active', () => [{ labels: {}, value: hub.size }])
  scope.metrics.gauge('svc_subscriptions_connections', () => [{ labels: {}, value: connections.count }])

  const hooks = await createHooks(options.hooks, scope)
  scope.onClose(() => hooks.close())
  const sessions = new SessionWatch({
    enter: scope.pipeline.enter,
    recheckMs: options.recheck_secs * 1000,
    endOf: endOfTokens(tokens),
  })
  scope.onClose(() => sessions.close())
  scope.use('revocations', { optional: true })?.onChange(() => sessions.revoked())

  const service = createService({
    scope,
    graphql,
    hub,
    hooks,
    sessions,
    quota: new ReadQuota({
      perConnection: options.max_different_per_connection,
      perCaller: options.max_different_per_caller,
    }),
    connections,
    deletesPastRls: options.deletes_past_rls,
    withheld: () => withheld.add(),
    superseded: () => superseded.add(),
    targetOf(exchange: Exchange, { template }) {
      const target = targets.of(exchange.generation).get(subscriptionRoot(template).operation)
      if (target === undefined) throw new Error('A subscription of another schema')
      return target
    },
    targetOfType(type) {
      const target = ofTypes.get(type) ?? targetOfType(type)
      ofTypes.set(type, target)
      return target
    },
  })
  scope.provide('subscriptions', service)
  const sockets = await mountSockets(scope, options, { graphql, subscriptions: service })

  const channels = openChannels(
    scope,
    events,
    (event, channel) => hub.message(event, (target) => target.channel === channel && target.hears(event)),
    (channel) => hub.lostAll((target) => target.channel === channel),
  )
  let unfollow = (): void => {}
  scope.onReady(async () => {
    unfollow = events.follow({ event: (event) => hub.event(event), lost: () => hub.lostAll() })
    // A channel that is not ready in time is listened to as soon as it is.
    await settlesWithin(channels.listen(targets.of(scope.process.generation).values()), LISTEN_MS)
  })
  const unheard = scope.signals.subscribe((signal) => {
    if (signal.type !== 'generation-loaded' || signal.reason !== 'reload') return
    void hub.renew()
    void channels.listen(targets.of(scope.process.generation).values())
  })
  scope.onDrain(async () => {
    await hub.idle()
    service.drain()
    await sockets.drain()
  })
  scope.onClose(async () => {
    unheard()
    unfollow()
    await channels.close()
  })
})

function entitiesOf({ entityType }: SubscriptionModel, schema: SchemaModel): readonly string[] {
  const type = schema.types.get(entityType)
  return type?.kind === 'interface' || type?.kind === 'union' ? type.members.map(({ name }) => name) : [entityType]
}

/** @throws SvcError SVC_CONFIG_INVALID when a subscription is durable and the backend does not store events */
function refuseForgetful(schema: SchemaModel, { isDurable }: FollowedEvents): void {
  if (isDurable) return
  for (const { wireName, durable } of schema.subscriptions.values()) {
    if (!durable) continue
    throw new SvcError(
      'SVC_CONFIG_INVALID',
      `Subscription "${wireName}" is durable, and the backend of [observers] keeps no events: set observers.backend to one that does, such as "sqldb".`,
    )
  }
}

/** In milliseconds; as long as a request with the token would be let in. */
function endOfTokens(tokens: Tokens | undefined) {
  return (auth: Auth): number | null => {
    const token = tokens?.tokenOf(auth) ?? null
    return tokens === undefined || token === null ? null : (token.expiresAt + tokens.clockSkewSecs) * 1000
  }
}
