import { isAbsolute, relative } from 'node:path'
import { SvcError } from '../base/errors/svc-error.ts'
import { didYouMean } from '../base/util/nearest.ts'
import type { AuthoredSchema, SourceLocation } from '../schema/authored.ts'
import { AUTHORED_VERSION } from '../schema/authored-version.ts'
import { COLLECTIONS } from '../schema/collections.ts'
import { type Collection, currentRegistry, type Element, type EmitScope, type Fault } from './registry.ts'
import { NotAType, printTypeSource } from './type-source.ts'

/** The order of the arrays in `schema.json`. */
const ALL: readonly Collection[] = [...COLLECTIONS, 'hierarchies', 'author_functions']
const OPERATIONS: ReadonlySet<Collection> = new Set([
  'queries',
  'mutations',
  'subscriptions',
  'observers',
  'hierarchies',
  'author_functions',
])

export interface CollectOptions {
  /**
   * Finds the module and export of a value with functions, such as a scalar, from which the server imports the
   * functions. The code that imported the schema module supplies it.
   */
  readonly locate?: EmitScope['locate']
}

/**
 * Returns all declarations since the start of the process (or of `withFreshRegistry`) in the format of `schema.json`,
 * sorted by declaration, each with its source location as `$place`. `types`, `queries` and `mutations` are always
 * present.
 * @throws SvcError SVC_SCHEMA_INVALID with all faults, one per line, each with its location
 */
export function collectSchema(options: CollectOptions = {}): AuthoredSchema {
  const { elements: unordered, faults: declared, pending, marks, topLevel } = currentRegistry()
  const elements = [...unordered].sort((a, b) => a.order - b.order)
  const faults: Fault[] = [...declared, ...findDuplicates(elements)]
  for (const { claimed, place, member } of pending) {
    if (!claimed)
      faults.push({ place, message: `the class of @field "${member}" carries no @type, @input or @interface_` })
  }
  const scope = emitScope(elements, faults, options.locate ?? (() => null))
  const schema: Record<string, unknown> = { version: AUTHORED_VERSION }
  for (const collection of ALL) {
    const own = elements.filter((element) => element.collection === collection)
    if (own.length === 0 && !['types', 'queries', 'mutations'].includes(collection)) continue
    schema[collection] = own.map((element) => ({ ...element.emit(scope), $place: element.place }))
  }
  for (const [key, value] of topLevel) if (!Object.hasOwn(schema, key)) schema[key] = value
  for (const { claimed, place, member } of marks) {
    if (!claimed)
      faults.push({
        place,
        message: `an access decorator stands on "${member}", which has no @query, @mutation or @field`,
      })
  }
  if (faults.length > 0) throw faultsError(faults)
  return schema as unknown as AuthoredSchema
}

function emitScope(elements: readonly Element[], faults: Fault[], locate: EmitScope['locate']): EmitScope {
  const types = new Set(elements.filter((one) => !OPERATIONS.has(one.collection)).map((one) => one.name))
  const fault = (place: SourceLocation, message: string): void => void faults.push({ place, message })
  const typeText = (source: unknown, subject: string, place: SourceLocation): string => {
    try {
      return printTypeSource(source, (name, builtin) => {
        if (builtin || types.has(name)) return
        fault(place, `${subject}: type "${name}" is not declared.${didYouMean(name, types)}`)
      })
    } catch (error) {
      if (!(error instanceof NotAType)) throw error
      fault(place, `${subject}: ${error.message}`)
      return 'String'
    }
  }
  return { fault, typeText, locate }
}

function findDuplicates(elements: readonly Element[]): Fault[] {
  const first = new Map<string, Element>()
  const faults: Fault[] = []
  for (const element of elements) {
    // Their names are unique per kind only. The compiler reports duplicates of one kind.
    if (element.collection === 'author_functions') continue
    const isOperation = OPERATIONS.has(element.collection)
    const key = `${isOperation ? element.collection : 'type'} ${element.name}`
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, element)
    else {
      const what = `${isOperation ? singular(element.collection) : 'type'} "${element.name}"`
      faults.push({
        place: element.place,
        message: `${what} is declared twice, first at ${formatPlace(earlier.place)}`,
      })
    }
  }
  return faults
}

const singular = (collection: Collection): string => collection.replace(/ies$/, 'y').replace(/s$/, '')

function faultsError(faults: readonly Fault[]): SvcError {
  const lines = faults.map(({ place, message }) => `${formatPlace(place)}: ${message}`)
  return new SvcError('SVC_SCHEMA_INVALID', lines.join('\n'), { details: { faults } })
}

/** Formats a location: `schema.ts:12:4`, relative to the working directory if the file is in it. */
export function formatPlace({ file, line, column }: SourceLocation): string {
  const short = relative(process.cwd(), file)
  return `${short === '' || short.startsWith('..') || isAbsolute(short) ? file : short}:${line}:${column}`
}
