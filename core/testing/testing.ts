import type { Database } from '../contract/database.ts'
import type { Executor } from '../contract/engine.ts'
import type { CommitEvent } from '../contract/engine-stages.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { MutationCall } from '../contract/mutation-call.ts'
import type { Operation } from '../contract/operation.ts'
import type { Enter } from '../contract/pipeline.ts'
import type { Result } from '../contract/result.ts'
import type { Signal } from '../contract/signals.ts'
import type { MaybePromise } from '../contract/stages.ts'
import { emptySchema } from '../schema/link/empty-schema.ts'
import type { MutationModel, SchemaModel } from '../schema/model.ts'
import { composeService } from '../service/compose-service.ts'
import type { InjectRequest, InjectResponse } from '../service/http/inject.ts'
import { createGenerationRouter } from '../service/http/router.ts'
import { createServiceKernel } from '../service/plugins/create-service-kernel.ts'
import type { ServiceHooks, ServiceKernel } from '../service/plugins/service-kernel.ts'
import { createSignals } from '../service/signals/create-signals.ts'
import { SETTLE_MS, testConfig } from './config.ts'
import { explainNothing, OFFLINE_EXECUTOR, resolveCalls } from './engine.ts'
import { type TestExchange, testExchange } from './exchange.ts'
import { testOperation } from './inputs.ts'
import { type Testable, toInstance } from './instance.ts'
import { collectReports, type Reported } from './reports.ts'
import { type TestCall, type TestWrite, testCall, testWrite } from './writes.ts'

export { emptySchema } from '../schema/link/empty-schema.ts'
export { type TestCompiled, type TestCompileOptions, testCompile } from './compile.ts'
export type { TestExchange } from './exchange.ts'
export { testOperation } from './inputs.ts'
export type { Testable } from './instance.ts'
export {
  type TestCaller,
  type TestedProject,
  type TestGraphQLRequest,
  type TestGraphQLResponse,
  type TestProjectOptions,
  testProject,
} from './project.ts'
export type { Reported } from './reports.ts'
export type { TestCall, TestWrite } from './writes.ts'

export interface TestPluginOptions {
  /**
   * Options of the plugin, as its section of svc.toml would have them. They are validated and get defaults, as at boot.
   */
  readonly options?: Readonly<Record<string, unknown>>
  /** Plugins that the plugin depends on, with options if they need any. */
  readonly dependencies?: readonly (Testable | { readonly plugin: Testable; readonly options: unknown })[]
  /** Members of the loaded schema that the plugin reads; the others are empty. Default: an empty schema. */
  readonly schema?: Partial<SchemaModel>
  /** Configuration keys that differ from the defaults, nested like svc.toml, for `scope.config`. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Database that `scope.database()` returns. The test closes it. Default: there is none. */
  readonly database?: Database
  /** Returns the schema that `scope.process.reload` loads. Default: the same schema again. */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Answers `scope.engine.explain` after authorization. Default: the call throws SERVICE_UNAVAILABLE. */
  readonly explain?: Executor['explain']
  /**
   * Runs operations instead of a database, inside the `resolve` hooks. Default: plugins compute their root fields, and
   * any other operation returns `{}`.
   */
  readonly resolve?: (exchange: Exchange, operation: Operation) => MaybePromise<Result>
}

/** A plugin under test, running with its dependencies, without a database unless the test passes one. */
export interface TestedPlugin {
  readonly kernel: ServiceKernel
  /** For each stage, the function that runs its hooks; `null`: no plugin hooks it. */
  readonly hooks: ServiceHooks
  /** All signals that were emitted so far, oldest first. */
  readonly signals: readonly Signal[]
  /**
   * Sends an HTTP request without a socket. The hooks of `onRequest` and `authenticate` and the routes of the plugins
   * run.
   */
  inject(request: InjectRequest): Promise<InjectResponse>
  /**
   * Opens a free port of 127.0.0.1 until `close`, for tests that need a connection, an upgrade or a stream.
   * @returns the URL of the server
   */
  listen(): Promise<string>
  /** Runs a request that did not arrive over HTTP, as `scope.pipeline.enter` does. */
  readonly enter: Enter
  /** Runs an operation as `scope.engine.run` does: through the hooks of `authorize` and `resolve`. */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * Runs the `afterCommit` hooks with the writes of a mutation, and waits until all have finished. Errors of hooks are
   * only reported, as in a service: see {@link takeReported}.
   * @param writes one entry per written row. Absent members are those of a `CUSTOM` mutation without an entity
   * @param event other members of the event; default: an anonymous request
   */
  commit(writes: readonly TestWrite[], event?: Partial<Omit<CommitEvent, 'writes'>>): Promise<void>
  /**
   * Runs the `mutation:before` hooks for one root field. A throw of a hook rejects.
   * @param call absent members are those of a `CUSTOM` mutation without arguments
   * @param exchange default: an anonymous request
   */
  before(call: TestCall, exchange?: Exchange): Promise<void>
  /**
   * Runs the `mutation:after` hooks for one root field. A throw of a hook rejects. Arguments as in {@link before} and
   * {@link commit}.
   */
  after(call: TestCall, writes: readonly TestWrite[], exchange?: Exchange): Promise<void>
  /**
   * Creates a request without a credential, for methods that need one.
   * @param overrides members that replace the defaults
   */
  exchange(overrides?: Partial<Exchange>): TestExchange
  /**
   * Returns the errors and warnings that were reported so far, and clears them. Problems that the test has not taken
   * make {@link close} fail.
   */
  takeReported(): readonly Reported[]
  /** Closes the plugins. @throws Error when problems were reported that {@link takeReported} has not returned */
  close(): Promise<void>
}

/**
 * Boots a plugin for a test, with its dependencies and no other plugins.
 *
 *     const tested = await testPlugin(audit, { options: { sink } })
 *     await tested.run(tested.exchange(), testOperation({ kind: 'mutation' }))
 *     await tested.close()
 *
 * @throws SvcError SVC_PLUGIN_INVALID: the value is no plugin; SVC_BOOT_FAILED: its set-up failed
 */
export async function testPlugin(plugin: Testable, given: TestPluginOptions = {}): Promise<TestedPlugin> {
  const signals = createSignals()
  const reports = collectReports(signals)

  const router = createGenerationRouter()
  const schema = { ...emptySchema(), ...given.schema }
  const { database } = given
  const config = testConfig(given.config)
  const kernel = await createServiceKernel({
    plugins: [...(given.dependencies ?? []).map(toInstance), toInstance({ plugin, options: given.options ?? {} })],
    config,
    log: reports.log,
    signals,
    process: { version: '0.0.0-test' },
    schema,
    loadSchema: given.loadSchema ?? (async () => schema),
    mount: router.mount,
    ...(database === undefined ? {} : { openDatabase: async () => database }),
    timeouts: { settle: SETTLE_MS, drain: SETTLE_MS },
  })
  const { hooks } = kernel
  const { engine, entrance, server, inject } = composeService(kernel, {
    config,
    signals,
    router,
    tls: null,
    executor: () => ({
      ...OFFLINE_EXECUTOR,
      resolve: given.resolve ?? resolveCalls,
      explain: given.explain ?? explainNothing,
    }),
  })
  try {
    await kernel.ready()
  } catch (error) {
    await kernel.close()
    throw error
  }

  const hooksFor = ({ root }: MutationCall) => kernel.mutationHooksOf?.(root.operation as MutationModel) ?? null

  return {
    kernel,
    hooks,
    signals: reports.signals,
    inject,
    listen: () => server.listen(),
    enter: entrance.enter,
    run: engine.run,
    async commit(writes, event = {}) {
      hooks.afterCommit?.({
        exchange: testExchange(kernel.generation),
        operation: testOperation({ kind: 'mutation' }),
        ...event,
        writes: writes.map(testWrite),
      })
      const left = await kernel.settled(SETTLE_MS)
      if (left > 0) throw new Error(`${left} afterCommit hooks were still running after ${SETTLE_MS} ms.`)
    },
    async before(call, exchange = testExchange(kernel.generation)) {
      const made = testCall(call, testOperation({ kind: 'mutation' }))
      await hooksFor(made)?.before?.(exchange, made)
    },
    async after(call, writes, exchange = testExchange(kernel.generation)) {
      const made = testCall(call, testOperation({ kind: 'mutation' }))
      await hooksFor(made)?.after?.(exchange, made, writes.map(testWrite))
    },
    exchange: (overrides) => testExchange(kernel.generation, overrides),
    takeReported: reports.take,
    async close() {
      await Promise.all([server.close(), kernel.drain(), entrance.drain(SETTLE_MS)])
      await kernel.close()
      reports.check()
    },
  }
}
