/** A plugin written against `svc`. It is compiled and never run; `@ts-expect-error` marks code that must not compile. */
import {
  type AccessControl,
  type AnyExchange,
  type Auth,
  type CommitEvent,
  type CommittedWrite,
  type Database,
  definePlugin,
  type Exchange,
  type Generation,
  type HttpExchange,
  type Manifest,
  type MaybePromise,
  type MutationCall,
  type MutationModel,
  type Operation,
  type Plugin,
  type PublicError,
  type PublicErrorSource,
  type Reply,
  type Result,
  type SchemaModel,
} from 'svc'
import { exact } from './exact.ts'

interface Clock {
  now(): number
}

interface ClockOptions {
  readonly interval_ms: number
  readonly zone?: string
}

declare module 'svc' {
  interface Provided {
    'types-clock': Clock
  }
  interface Stages {
    'types-clock:tick': { kind: 'every'; handler: (ctx: Exchange, at: number) => MaybePromise<void> }
  }
  interface Config {
    readonly types_clock?: ClockOptions
  }
}

const manifest: Manifest = { name: 'types-clock', version: '1.0.0', kernelApi: 1, description: 'Provides a clock.' }

/** The type of the options comes from the set-up function. */
const clock = definePlugin(manifest, (scope, options: ClockOptions) => {
  exact<string>()(scope.plugin)
  exact<number>()(options.interval_ms)
  exact<string | undefined>()(options.zone)
  // @ts-expect-error the options have no such key
  options.interval
})
exact<Plugin<ClockOptions>>()(clock)

export default definePlugin<ClockOptions>(manifest, async (scope, options) => {
  exact<ClockOptions>()(options)

  // Hooks: the payload of each stage of core.
  scope.on('onRequest', (ctx, next) => {
    exact<AnyExchange>()(ctx)
    exact<() => MaybePromise<Reply>>()(next)
    return next()
  })
  scope.on('authenticate', (ctx) => {
    exact<Exchange>()(ctx)
    return undefined
  })
  scope.on(
    'authorize',
    (ctx, operation, access) => {
      exact<Exchange>()(ctx)
      exact<Auth | null>()(ctx.auth)
      exact<Operation>()(operation)
      exact<AccessControl>()(access)
    },
    { position: 'guard' },
  )
  scope.on('resolve', (ctx, operation, next) => {
    exact<Exchange>()(ctx)
    exact<Operation>()(operation)
    exact<(instead?: Operation) => MaybePromise<Result>>()(next)
    return next(operation)
  })
  scope.on(
    'mutation:before',
    (ctx, call) => {
      exact<Exchange>()(ctx)
      exact<MutationCall>()(call)
    },
    {
      mutations: (mutation) => {
        exact<MutationModel>()(mutation)
        return true
      },
    },
  )
  scope.on('mutation:after', (ctx, call, writes) => {
    exact<Exchange>()(ctx)
    exact<MutationCall>()(call)
    exact<readonly CommittedWrite[]>()(writes)
  })
  scope.on('afterCommit', (event) => {
    exact<CommitEvent>()(event)
    exact<readonly CommittedWrite[]>()(event.writes)
  })
  scope.on('error:public', (shown, source) => {
    exact<PublicError>()(shown)
    exact<PublicErrorSource>()(source)
    return shown
  })

  // @ts-expect-error there is no such stage
  scope.on('onResponse', () => undefined)
  // @ts-expect-error the name of a stage is no plain string
  scope.on('onRequest' as string, () => undefined)
  // @ts-expect-error a hook around requests returns a reply
  scope.on('onRequest', () => 'no reply')
  // @ts-expect-error `authenticate` returns a caller
  scope.on('authenticate', () => 'ann')
  // @ts-expect-error `resolve` returns a result
  scope.on('resolve', (_ctx, _operation, _next) => ({ status: 200 }))
  // @ts-expect-error `next` continues with an operation
  scope.on('resolve', (_ctx, _operation, next) => next('operation'))
  // @ts-expect-error the hooks of `error:public` are synchronous
  scope.on('error:public', async (shown) => shown)
  // @ts-expect-error there is no such position
  scope.on('authorize', () => undefined, { position: 'first' })
  scope.on('afterCommit', (event) => {
    // @ts-expect-error the writes are read-only
    event.writes.push(event.writes[0]!)
  })

  // Stages of plugins.
  const tick = scope.stage('types-clock:tick', 'every')
  exact<((ctx: Exchange, at: number) => MaybePromise<void>) | null>()(tick.run)
  scope.on('types-clock:tick', (ctx, at) => {
    exact<Exchange>()(ctx)
    exact<number>()(at)
  })
  // @ts-expect-error the stage has another kind
  scope.stage('types-clock:tick', 'series')
  // @ts-expect-error the stage is not declared
  scope.stage('types-clock:tock', 'every')
  // @ts-expect-error a stage of core is not added by a plugin
  scope.stage('authorize', 'every')

  // Configuration.
  exact<number>()(scope.config.server.port)
  exact<'authenticated' | 'public'>()(scope.config.security.default_policy)
  exact<string | undefined>()(scope.config.database.url)
  exact<ClockOptions | undefined>()(scope.config.types_clock)
  // @ts-expect-error there is no such section
  scope.config.clock
  // @ts-expect-error there is no such section of the server
  scope.config.server.clock
  // @ts-expect-error the section of a plugin may be missing
  scope.config.types_clock.interval_ms
  // @ts-expect-error the configuration is read-only
  scope.config.server.port = 1

  // Values of other plugins.
  scope.provide('types-clock', { now: () => options.interval_ms })
  exact<Clock>()(scope.use('types-clock'))
  exact<Clock | undefined>()(scope.use('types-clock', { optional: true }))
  // @ts-expect-error another value is declared for the key
  scope.provide('types-clock', { now: () => 'noon' })
  // @ts-expect-error the key is not declared
  scope.provide('types-calendar', {})
  // @ts-expect-error the key is not declared
  scope.use('types-calendar')

  // Routes, and values of a generation.
  scope.route({
    method: 'GET',
    path: '/clock',
    handler: (ctx) => {
      exact<HttpExchange>()(ctx)
      return { status: 200, headers: {}, body: 'noon' }
    },
  })
  // @ts-expect-error there is no such method
  scope.route({ method: 'TRACE', path: '/clock', handler: () => ({ status: 200, headers: {}, body: '' }) })
  // @ts-expect-error a route returns a reply
  scope.route({ method: 'GET', path: '/clock', handler: () => 'noon' })
  const names = scope.perGeneration((schema) => {
    exact<SchemaModel>()(schema)
    return [schema.hash]
  })
  scope.onReady(async () => {
    exact<Generation>()(scope.process.generation)
    exact<string[]>()(names.of(scope.process.generation))
    exact<Database>()(scope.database())
  })
})
