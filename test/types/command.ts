/** A command, a compile part and checks, written against `svc/command`. Compiled and never run, as the plugins beside it. */
import type { Config, Database, Generation, ProcessView, SchemaModel } from 'svc'
import {
  type AuthoredSchema,
  type BootedService,
  type CommandArgs,
  type CommandHost,
  type CommandIo,
  defineAfterCompile,
  defineCommandRunner,
  defineCompilePart,
  defineDoctorCheck,
  defineSdlPrinter,
  EXIT,
  type Finding,
  ok,
  type PartContext,
  type SdlSource,
} from 'svc/command'
import type { Catalog } from 'svc/driver'
import { exact } from './exact.ts'

interface AuditOptions {
  readonly table: string
}

export const command = defineCommandRunner<AuditOptions>(async (args, host) => {
  exact<CommandArgs>()(args)
  exact<string | boolean | undefined>()(args.flags.json)
  exact<CommandHost<AuditOptions>>()(host)
  exact<CommandIo>()(host.io)
  exact<Config>()(host.config)
  exact<string>()(host.options.table)
  exact<Database>()(await host.database())
  exact<SchemaModel>()(await host.loadSchema())
  exact<BootedService>()(await host.boot())
  exact<ProcessView>()((await host.boot()).process)
  // @ts-expect-error the options have no such key
  host.options.tables
  // @ts-expect-error there is no such section
  host.config.audits
  return EXIT.ok
})

// @ts-expect-error there is no such exit code
export const wrongExit = defineCommandRunner(async () => 42)
export const untyped = defineCommandRunner(async (_args, host) => {
  // @ts-expect-error options without a type are unknown
  host.options.table
})

export const part = defineCompilePart<AuditOptions>({
  keys: { type: { audited: { type: 'boolean' } } },
  extend: (schema, options) => {
    exact<AuthoredSchema>()(schema)
    exact<AuditOptions>()(options)
    return { queries: [] }
  },
  compile: (context) => {
    exact<PartContext<AuditOptions>>()(context)
    exact<AuthoredSchema>()(context.schema)
    exact<Catalog | null>()(context.catalog)
    exact<AuditOptions>()(context.options)
    context.fault('audit-table', 'Name a table.')
    return { block: { table: context.options.table } }
  },
  check: (model, context) => {
    exact<SchemaModel>()(model)
    // @ts-expect-error a check has no catalog
    context.catalog
  },
})

// @ts-expect-error a schema has no such element
export const wrongPlace = defineCompilePart({ keys: { table: { audited: { type: 'boolean' } } } })
export const wrongElement = defineCompilePart({
  // @ts-expect-error a part adds no subscriptions
  extend: () => ({ subscriptions: [] }),
})

export const check = defineDoctorCheck<AuditOptions>(async ({ options, schema, env }) => {
  exact<string>()(options.table)
  exact<string | undefined>()(env.PATH)
  // @ts-expect-error the schema may be missing
  schema.types
  const finding = ok('audit', 'The table exists.')
  exact<Finding>()(finding)
  return [finding]
})
// @ts-expect-error there is no such state
export const wrongFinding = defineDoctorCheck(async () => [{ name: 'audit', state: 'unknown', message: '' }])

export const warnings = defineAfterCompile(async (source) => {
  exact<SdlSource>()(source)
  exact<Generation>()(source.generation)
  return []
})
// @ts-expect-error warnings are lines
export const wrongWarnings = defineAfterCompile(async () => [404])
// @ts-expect-error a printer is synchronous
export const wrongPrinter = defineSdlPrinter(async () => 'type Query')
