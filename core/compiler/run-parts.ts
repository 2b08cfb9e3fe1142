import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean, listNames } from '../base/util/nearest.ts'
import type { AuthoredSchema } from '../schema/authored.ts'
import type { CompiledPart } from '../schema/compiled.ts'
import type { SchemaModel } from '../schema/model.ts'
import type { AddedElements, CompilePart, EnabledPart, PartContext, PartResult } from './compile-part.ts'
import type { CompileContext } from './ground/context.ts'
import { Report } from './ground/report.ts'

const ADDED = [
  'types',
  'enums',
  'interfaces',
  'unions',
  'input_types',
  'custom_scalars',
  'queries',
  'mutations',
] as const satisfies readonly (keyof AddedElements)[]

/**
 * Returns the schema with the types, queries and other elements that enabled plugins add (`CompilePart.extend`).
 * @throws SvcError SVC_PLUGIN_INVALID: a plugin throws an error, or returns elements of a kind that it cannot add
 */
export function extendSchema(schema: AuthoredSchema, parts: readonly EnabledPart[]): AuthoredSchema {
  let extended = schema
  for (const { plugin, part, options } of parts) {
    if (part.extend === undefined) continue
    const added = guard(plugin, () => part.extend?.(extended, options as never)) ?? {}
    const unknown = Object.keys(added).find((key) => !ADDED.includes(key as (typeof ADDED)[number]))
    if (unknown !== undefined) {
      const message = `The compile part of plugin "${plugin}" adds "${unknown}".${didYouMean(unknown, ADDED)} It can add: ${listNames(ADDED)}.`
      throw new SvcError('SVC_PLUGIN_INVALID', message)
    }
    const lists = ADDED.flatMap((key) => {
      const more = added[key]
      return more === undefined ? [] : [[key, [...(extended[key] ?? []), ...more]] as const]
    })
    extended = { ...extended, ...Object.fromEntries(lists) }
  }
  return extended
}

/**
 * What the compile parts returned, by plugin, and the names of the plugins that must be enabled to serve the result.
 */
export interface PartsResult {
  readonly plugins: Readonly<Record<string, CompiledPart>>
  readonly requires: readonly string[]
}

/**
 * Runs the `compile` function of each enabled plugin's compile part, after core's own checks, and collects what they
 * return for the compiled schema.
 */
export function runParts(context: CompileContext, parts: readonly EnabledPart[]): PartsResult {
  const plugins: Record<string, CompiledPart> = {}
  const requires = new Set<string>(checkFunctionKinds(context, parts))
  for (const { plugin, part, options } of parts) {
    if (part.compile === undefined) continue
    const result = compilePart(
      context,
      plugin,
      part.compile as (of: PartContext<unknown>) => PartResult | undefined,
      options,
    )
    const { block, sdl } = result ?? {}
    const leaves = block !== undefined || sdl !== undefined
    if (leaves) plugins[plugin] = { ...(block === undefined ? {} : { block }), ...(sdl === undefined ? {} : { sdl }) }
    for (const name of result?.requires ?? (leaves ? [plugin] : [])) requires.add(name)
  }
  return { plugins, requires: [...requires] }
}

function compilePart(
  { schema, catalog, report }: CompileContext,
  plugin: string,
  compile: (of: PartContext<unknown>) => PartResult | undefined,
  options: unknown,
): PartResult | undefined {
  const own = new Report()
  const run = () =>
    compile({
      schema,
      catalog,
      options,
      fault: (id, message, ...at) => own.fault(`${plugin}:${id}`, message, ...at),
      warn: (id, message, ...at) => own.warn(`${plugin}:${id}`, message, ...at),
    })
  // A schema with faults may contain unknown names, which can make a part throw. Such an error is ignored, since the part
  // runs again after the faults are corrected.
  const result = report.faults.length > 0 ? attempt(run) : guard(plugin, run)
  report.faults.push(...own.faults)
  report.warnings.push(...own.warnings)
  return result
}

/** Runs the `check` function of each enabled plugin's compile part on the schema with resolved names. */
export function checkParts(
  { schema, report }: CompileContext,
  parts: readonly EnabledPart[],
  model: SchemaModel,
): void {
  for (const { plugin, part, options } of parts) {
    if (part.check === undefined) continue
    const check = part.check as NonNullable<CompilePart['check']>
    guard(plugin, () =>
      check(model, {
        schema,
        options,
        fault: (id, message, ...at) => report.fault(`${plugin}:${id}`, message, ...at),
        warn: (id, message, ...at) => report.warn(`${plugin}:${id}`, message, ...at),
      }),
    )
  }
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function guard<T>(plugin: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `The compile part of plugin "${plugin}" failed: ${reason}`
    throw new SvcError('SVC_PLUGIN_INVALID', message, { cause })
  }
}

/** Kinds of functions that run without a plugin. */
const OWN_KINDS = ['validator']

/** Checks that svc or a plugin runs each function of the author. @returns the names of those plugins */
function checkFunctionKinds({ schema, report }: CompileContext, parts: readonly EnabledPart[]): readonly string[] {
  const takers = new Map<string, string | null>([
    ...OWN_KINDS.map((kind) => [kind, null] as const),
    ...parts.flatMap(({ plugin, part }) => Object.keys(part.functions ?? {}).map((kind) => [kind, plugin] as const)),
  ])
  const repeatable = new Set(parts.flatMap(({ part }) => part.repeatable ?? []))
  const seen = new Set<string>()
  const needed: string[] = []
  for (const element of schema.author_functions ?? []) {
    const { kind, name } = element
    const taker = takers.get(kind)
    if (taker === undefined) {
      const kinds = `Kinds that are run: ${listNames(takers.keys())}.`
      const message = `Function "${name}" is of the kind "${kind}", which no enabled plugin runs.${didYouMean(kind, takers.keys())} ${kinds} Enable the plugin, or take the function out.`
      report.fault('author-function', message, element)
    } else if (taker !== null) needed.push(taker)
    if (seen.has(`${kind} ${name}`) && !repeatable.has(kind)) {
      report.fault(
        'author-function',
        `There are two functions of the kind "${kind}" with the name "${name}". Rename one.`,
        element,
      )
    }
    seen.add(`${kind} ${name}`)
  }
  return needed
}
