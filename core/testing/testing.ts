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
  /** Options of the plugin. They are validated and completed with defaults, as at boot. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Plugins that the plugin depends on, with their options if they need any. */
  readonly dependencies?: readonly (Testable | { readonly plugin: Testable; readonly options: unknown })[]
  /** Members of the schema model; missing members are empty. */
  readonly schema?: Partial<SchemaModel>
  /** Keys of `scope.config` that differ from the defaults, nested like svc.toml. */
  readonly config?: Readonly<Record<string, unknown>>
  /** Result of `scope.database()`. The caller closes it. */
  readonly database?: Database
  /** Loads the schema for `scope.process.reload`. Default: the same schema. */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** Result of `scope.engine.explain`, after the guards. Default: the call throws an error. */
  readonly explain?: Executor['explain']
  /** Replaces plan and execute, inside the `resolve` hooks. Default: answers roots that need no database, otherwise `{}`. */
  readonly resolve?: (exchange: Exchange, operation: Operation) => MaybePromise<Result>
}

/** A plugin under test, booted in a kernel of its own. */
export interface TestedPlugin {
  readonly kernel: ServiceKernel
  /** The compiled hook chains; `null` for a stage that no plugin hooks. */
  readonly hooks: ServiceHooks
  /** All signal events so far, oldest first. */
  readonly signals: readonly Signal[]
  /** Sends a request through onRequest, routes and authenticate, without a socket. */
  inject(request: InjectRequest): Promise<InjectResponse>
  /**
   * Listens on a free port of 127.0.0.1 until `close`, for tests that need a connection, an upgrade or a stream.
   * @returns the URL
   */
  listen(): Promise<string>
  /** Runs an exchange that is not an HTTP request, as `scope.pipeline.enter` does. */
  readonly enter: Enter
  /** Runs an operation through authorize and resolve. */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * Calls the `afterCommit` hooks with the writes of a mutation, and waits until all of them have finished. Errors of hooks are reported,
   * as in a service: take them, or `close` fails.
   * @param writes one entry per row; absent members have the values of a `CUSTOM` mutation without an entity
   */
  commit(writes: readonly TestWrite[], event?: Partial<Omit<CommitEvent, 'writes'>>): Promise<void>
  /** Runs the `mutation:before` hooks of a call. Absent members have the values of a `CUSTOM` mutation without arguments. */
  before(call: TestCall, exchange?: Exchange): Promise<void>
  /** Runs the `mutation:after` hooks of a call. */
  after(call: TestCall, writes: readonly TestWrite[], exchange?: Exchange): Promise<void>
  /** Creates an anonymous exchange on the current generation. @param overrides members to replace */
  exchange(overrides?: Partial<Exchange>): TestExchange
  /** Returns the errors and warnings reported so far, and clears them: they are expected and do not fail {@link TestedPlugin.close}. */
  takeReported(): readonly Reported[]
  /** Closes the plugins. @throws Error when there are reports that the test has not taken */
  close(): Promise<void>
}

/**
 * Boots a kernel with this plugin and its dependencies only.
 *
 *     const tested = await testPlugin(audit, { options: { sink } })
 *     await tested.run(tested.exchange(), testOperation({ kind: 'mutation' }))
 *     await tested.close()
 *
 * @throws SvcError SVC_PLUGIN_INVALID, SVC_BOOT_FAILED
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
