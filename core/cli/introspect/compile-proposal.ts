import { SvcError } from '../../base/errors/svc-error.ts'
import type { Fault } from '../../compiler/ground/report.ts'
import type { CatalogNames, Database } from '../../contract/database.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import type { Proposal, ReportEntry } from '../../introspect/proposal.ts'
import type { AuthoredSchema } from '../../schema/authored.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import { overlayDatabase } from '../../service/lifecycle/overlay-database.ts'
import type { CommandIo } from '../command/command.ts'
import { compileProject } from '../compile/compile-project.ts'
import type { Project } from '../project/load-project.ts'

/** A schema that svc proposes for a database, without elements that do not compile, and its compiled form. */
export interface CompiledProposal extends Proposal {
  readonly compiled: CompiledSchema
}

/** Each round removes at least one element, and elements that refer to it fail in the next one. */
const MAX_ROUNDS = 20

/**
 * Compiles the schema that svc proposes for a database. Elements that do not compile are removed and reported, so that
 * one unusual table does not prevent the others from being served.
 * @param proposal with the description of the database that it was made from
 * @throws SvcError SVC_SCHEMA_INVALID when a fault cannot be attributed to an element
 */
export async function compileProposal(
  project: Project,
  { schema, report, whole }: Proposal & { readonly whole: DatabaseModel },
  database: Database,
  io: CommandIo,
): Promise<CompiledProposal> {
  // The database was described a moment ago, so that the compiler need not analyse its views again.
  const known = overlayDatabase(database, { catalog: (names: CatalogNames) => database.catalog(names, whole) })
  const left: ReportEntry[] = []
  let current = schema
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const placed = placeElements(current)
    const { compiled, faults } = await compileProject(
      project,
      placed.schema,
      { offline: false, check: true, database: known },
      io,
    )
    if (compiled !== null) return { schema: current, report: [...report, ...left], compiled }
    const reasons = new Map<number, string>()
    for (const { place, message } of faults)
      if (place !== null && !reasons.has(place.line)) reasons.set(place.line, message)
    if (reasons.size === 0 || round === MAX_ROUNDS - 1) throw doesNotCompile(faults)
    const names = placed.names
    for (const [line, message] of reasons) left.push({ ...names.get(line)!, reason: `does not compile: ${message}` })
    current = withoutLines(placed.schema, new Set(reasons.keys()))
  }
  throw doesNotCompile([])
}

function doesNotCompile(faults: readonly Fault[]): SvcError {
  const lines = faults.slice(0, 10).map(({ message }) => `  ${message}`)
  return new SvcError(
    'SVC_SCHEMA_INVALID',
    `The schema that svc proposes for this database does not compile:\n${lines.join('\n')}`,
  )
}

interface Element {
  readonly name: string
  readonly fields?: readonly Element[]
  readonly $place?: { readonly file: string; readonly line: number; readonly column: number }
}

interface Placed {
  readonly schema: AuthoredSchema
  readonly names: ReadonlyMap<number, { readonly kind: string; readonly name: string }>
}

/** Gives each element and field a line of its own, by which the compiler reports it. */
function placeElements(schema: AuthoredSchema): Placed {
  const names = new Map<number, { kind: string; name: string }>()
  const place = <T extends Element>(element: T, kind: string, name = element.name): T => {
    const line = names.size + 1
    names.set(line, { kind, name })
    const $place = { file: 'proposal', line, column: 1 }
    if (element.fields === undefined) return { ...element, $place }
    return { ...element, $place, fields: element.fields.map((field) => place(field, 'field', `${name}.${field.name}`)) }
  }
  const collections = Object.entries(schema).map(([key, value]) => {
    const kind = KINDS[key]
    return [key, kind === undefined ? value : (value as readonly Element[]).map((each) => place(each, kind))]
  })
  return { schema: Object.fromEntries(collections), names }
}

/** Collections of named elements, with a word for messages. */
const KINDS: Readonly<Record<string, string>> = {
  types: 'type',
  enums: 'enum',
  input_types: 'input',
  queries: 'query',
  mutations: 'mutation',
}

function withoutLines(schema: AuthoredSchema, lines: ReadonlySet<number>): AuthoredSchema {
  const keep = (elements: readonly Element[]): readonly Element[] =>
    elements
      .filter(({ $place }) => $place === undefined || !lines.has($place.line))
      .map(({ $place: _, ...element }) =>
        element.fields === undefined ? element : { ...element, fields: keep(element.fields) },
      )
      // A type without fields has nothing to read.
      .filter(({ fields }) => fields === undefined || fields.length > 0)
  const collections = Object.entries(schema).map(([key, value]) => [
    key,
    KINDS[key] === undefined ? value : keep(value as readonly Element[]),
  ])
  return Object.fromEntries(collections)
}
