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
import { emptySchema, testOperation } from './inputs.ts'
import { type Testable, toInstance } from './instance.ts'
import { collectReports, type Reported } from './reports.ts'
import { type TestCall, type TestWrite, testCall, testWrite } from './writes.ts'

export { type TestCompiled, type TestCompileOptions, testCompile } from './compile.ts'
export type { TestExchange } from './exchange.ts'
export { emptySchema, testOperation } from './inputs.ts'
export type { Testable } from './instance.ts'
export type { Reported } from './reports.ts'
export type { TestCall, TestWrite } from './writes.ts'

export interface TestPluginOptions {
  /** Checked and default-filled as at boot. */
  readonly options?: Readonly<Record<string, unknown>>
  /** Plugins it depends on, with their own options where they need some. */
  readonly dependencies?: readonly (Testable | { readonly plugin: Testable; readonly options: unknown })[]
  /** Parts of the schema; the rest is empty. */
  readonly schema?: Partial<SchemaModel>
  /** Keys of `scope.config` that differ from the defaults, nested like svc.toml. */
  readonly config?: Readonly<Record<string, unknown>>
  /** What `scope.database()` gives. The caller closes it. */
  readonly database?: Database
  /** What `scope.process.reload` loads. Default: the same schema again. */
  readonly loadSchema?: (path?: string) => Promise<SchemaModel>
  /** What `scope.engine.explain` gives, behind the guards. Default: it throws. */
  readonly explain?: Executor['explain']
  /** Stands for plan and execute, inside the `resolve` hooks. Default: answers what needs no database, else `{}`. */
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
   * Listens on a free port of 127.0.0.1, until `close`: for what needs a connection, an upgrade or a stream.
   * @returns the URL
   */
  listen(): Promise<string>
  /** Lets an exchange in that is no HTTP request, as `scope.pipeline.enter` does. */
  readonly enter: Enter
  /** Runs an operation through authorize and resolve. */
  run(exchange: Exchange, operation: Operation): MaybePromise<Result>
  /**
   * Tells the `afterCommit` hooks that a mutation has written, and waits until all of them are done. What a hook throws
   * is reported, as in service: take it, or `close` fails.
   * @param writes one entry per row; what is left out is as for a `CUSTOM` mutation without an entity
   */
  commit(writes: readonly TestWrite[], event?: Partial<Omit<CommitEvent, 'writes'>>): Promise<void>
  /** Runs the `mutation:before` hooks of a call. What is left out is as for a `CUSTOM` mutation without arguments. */
  before(call: TestCall, exchange?: Exchange): Promise<void>
  /** Runs the `mutation:after` hooks of a call. */
  after(call: TestCall, writes: readonly TestWrite[], exchange?: Exchange): Promise<void>
  /** An anonymous exchange on the current generation, with what the test wants to be different. */
  exchange(overrides?: Partial<Exchange>): TestExchange
  /** The errors and warnings reported so far; those that were taken are expected and do not fail {@link TestedPlugin.close}. */
  takeReported(): readonly Reported[]
  /** Closes the plugins. @throws Error when something was reported that the test did not take */
  close(): Promise<void>
}

/**
 * Boots a kernel with just this plugin and those it depends on.
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

  const momentsFor = ({ root }: MutationCall) => kernel.momentsOf?.(root.operation as MutationModel) ?? null

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
      await momentsFor(made)?.before?.(exchange, made)
    },
    async after(call, writes, exchange = testExchange(kernel.generation)) {
      const made = testCall(call, testOperation({ kind: 'mutation' }))
      await momentsFor(made)?.after?.(exchange, made, writes.map(testWrite))
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
