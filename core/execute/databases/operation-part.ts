import type { OperationTemplate, RootSelection, ValueNode } from '../../contract/operation.ts'
import type { SchemaModel } from '../../schema/model.ts'
import type { TypeRef } from '../../schema/type-ref.ts'
import { type Link, type Places, SelectionCutter } from './cut-selection.ts'

/** What one database answers of an operation. */
export interface OperationPart {
  /** Name in `[databases]`; `undefined`: the default one. */
  readonly database: string | undefined
  /** Where relations lead into other databases, the keys that they start at stand in their place. */
  readonly template: OperationTemplate
  /** `null`: none does. */
  readonly related: RelatedParts | null
}

/** The relations of a part that lead into other databases. */
export interface RelatedParts {
  /** The template with them. */
  readonly whole: OperationTemplate
  readonly places: Places
  /** One for each database. */
  readonly hops: readonly Hop[]
}

/** One statement, behind another, with all keys that its rows have. */
export interface Hop {
  /** A root of the part each, in that order. */
  readonly links: readonly Link[]
  readonly part: OperationPart
}

const TEXT: TypeRef = { kind: 'named', name: 'ID', nullable: false }
const TEXTS: TypeRef = { kind: 'list', of: TEXT, nullable: false }

/** Name of the variable that has the keys of a link. No client's is called so. */
export function keysOf({ key }: Link): string {
  return `${key}-keys`
}

/** A part, and all that is read behind it. */
export function partsBehind(part: OperationPart): readonly OperationPart[] {
  return [part, ...(part.related?.hops.flatMap((hop) => partsBehind(hop.part)) ?? [])]
}

/** @param template all of whose roots are of that database */
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
