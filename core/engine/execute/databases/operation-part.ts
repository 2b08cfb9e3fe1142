import type { OperationTemplate, RootSelection, ValueNode } from '../../../contract/operation.ts'
import type { SchemaModel } from '../../../schema/model.ts'
import type { TypeRef } from '../../../schema/type-ref.ts'
import { type Link, type Places, SelectionCutter } from './cut-selection.ts'

/** The part of an operation that one database executes. */
export interface OperationPart {
  /** Name in `[databases]`; `undefined`: the default database. */
  readonly database: string | undefined
  /** Template in which relations into other databases are replaced by their keys. */
  readonly template: OperationTemplate
  /** Relations into other databases; `null`: none. */
  readonly related: RelatedParts | null
}

/** Relations of an operation part into other databases. */
export interface RelatedParts {
  /** The template before relations were replaced. */
  readonly whole: OperationTemplate
  readonly places: Places
  /** Relations grouped by database: one entry for each target database. */
  readonly hops: readonly Hop[]
}

/** A statement on another database, which reads related rows by the keys of an earlier statement. */
export interface Hop {
  /** Relations whose rows the statement reads: one for each root field of `part`, in the same order. */
  readonly links: readonly Link[]
  readonly part: OperationPart
}

const TEXT: TypeRef = { kind: 'named', name: 'ID', nullable: false }
const TEXTS: TypeRef = { kind: 'list', of: TEXT, nullable: false }

/** Returns the name of the variable for the keys of a relation. Clients cannot use this name. */
export function keysOf({ key }: Link): string {
  return `${key}-keys`
}

/** Returns an operation part and all parts that its relations into other databases lead to. */
export function partsBehind(part: OperationPart): readonly OperationPart[] {
  return [part, ...(part.related?.hops.flatMap((hop) => partsBehind(hop.part)) ?? [])]
}

/** Creates an operation part. @param template template whose root fields all belong to the database */
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
