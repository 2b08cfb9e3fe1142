import type { OperationTemplate, RootSelection, ValueNode } from '../../../contract/operation.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'
import { type Link, type Places, SelectionCutter } from './cut-selection.ts'

/** The part of an operation that one database runs: some of its root fields. */
export interface OperationPart {
  /** Name of the database in `[databases]`; `undefined`: the default database. */
  readonly database: string | undefined
  /**
   * The root fields that this database runs. In their selections, relations to other databases are replaced by fields
   * that read the keys of the related rows.
   */
  readonly template: OperationTemplate
  /** The relations into other databases that were replaced; `null`: none. */
  readonly related: RelatedParts | null
}

/** Relations of an operation part whose rows are in other databases. */
export interface RelatedParts {
  /** The part's template before its relations to other databases were replaced: with the selections of the client. */
  readonly whole: OperationTemplate
  readonly places: Places
  /** One entry for each database that has related rows, with all its relations. */
  readonly hops: readonly Hop[]
}

/**
 * A statement on another database that reads the related rows of several relations, by keys from the result of an
 * earlier statement.
 */
export interface Hop {
  /** Relations whose rows the statement reads. Each one has a root field in `part`, in the same order. */
  readonly links: readonly Link[]
  readonly part: OperationPart
}

const TEXT: TypeRef = { kind: 'named', name: 'ID', nullable: false }
const TEXTS: TypeRef = { kind: 'list', of: TEXT, nullable: false }

/**
 * Returns the name of the operation variable that contains the keys of a relation's rows. Clients cannot use this name.
 */
export function keysOf({ key }: Link): string {
  return `${key}-keys`
}

/** Returns an operation part, followed by the parts that read its relations from other databases, at any depth. */
export function partsBehind(part: OperationPart): readonly OperationPart[] {
  return [part, ...(part.related?.hops.flatMap((hop) => partsBehind(hop.part)) ?? [])]
}

/**
 * Creates the part of an operation for one database, and the parts that read its relations from other databases.
 * @param database name in `[databases]`; `undefined`: the default database
 * @param template the root fields of the part, all of which belong to this database
 */
export function partOf(database: string | undefined, template: OperationTemplate, schema: SchemaModel): OperationPart {
  const cutter = new SelectionCutter(schema)
  const places = new Map<string, Link | Places>()
  const roots = template.roots.map((root) => cutRoot(cutter, root, places))
  const { links } = cutter
  if (links.length === 0) return { database, template, related: null }
  const byDatabase = new Map<string | undefined, Link[]>()
  for (const link of links) {
    const target = databaseOf(link, schema)
    const known = byDatabase.get(target)
    if (known === undefined) byDatabase.set(target, [link])
    else known.push(link)
  }
  const hops = [...byDatabase].map(([target, own]): Hop => {
    const { masked: _masked, hasCalls: _calls, ...rest } = template
    const read: OperationTemplate = { ...rest, kind: 'query', roots: own.map(rootOf) }
    return { links: own, part: partOf(target, read, schema) }
  })
  return { database, template: { ...template, roots }, related: { whole: template, places, hops } }
}

function cutRoot(cutter: SelectionCutter, root: RootSelection, places: Map<string, Link | Places>): RootSelection {
  const inner = new Map<string, Link | Places>()
  const cut = cutInside(cutter, root, inner)
  if (inner.size === 0) return root
  places.set(root.responseKey, inner)
  return cut
}

function cutInside(cutter: SelectionCutter, root: RootSelection, places: Map<string, Link | Places>): RootSelection {
  const path = [root.responseKey]
  switch (root.kind) {
    case 'operation':
    case 'node':
      return { ...root, selection: cutter.cut(root.selection, path, places) }
    case 'rows':
      return { ...root, selection: cutter.cut(root.selection, path, places) }
    case 'related': {
      const { relation } = root
      return { ...root, relation: { ...relation, selection: cutter.cut(relation.selection, path, places) } }
    }
    default:
      return root
  }
}

function databaseOf({ relation: { field } }: Link, schema: SchemaModel): string | undefined {
  if (field.read?.from !== 'relation') throw new Error(`${field.name} is no relation`)
  return schema.sources.get(field.read.target)?.database
}

function rootOf(link: Link): RootSelection {
  const { key, relation } = link
  const keys: ValueNode = { kind: 'variable', name: keysOf(link), type: TEXTS }
  return { kind: 'related', responseKey: key, relation, keys, location: relation.location }
}
