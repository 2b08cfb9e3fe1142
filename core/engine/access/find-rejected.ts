import type { Access, Denial } from '../../contract/access.ts'
import type { ObjectSelection, OperationTemplate, RootSelection, Selection } from '../../contract/operation.ts'
import { countedType, deniedTarget, fieldsOfAggregate } from './mask-aggregate.ts'
import { isDataRoot, namesOf } from './masked-root.ts'

type Denied = Access['denied']

/**
 * Searches an operation for a type or field that is denied with `onDeny: "reject"`, which rejects the whole operation.
 * Returns the first such denial; `null`: none.
 */
export function findRejected({ roots }: OperationTemplate, denied: Denied): Denial | null {
  for (const root of roots) {
    const found = inRoot(root, denied)
    if (found !== null) return found
  }
  return null
}

function inRoot(root: RootSelection, denied: Denied): Denial | null {
  if (!isDataRoot(root)) return null
  for (const name of namesOf(root)) {
    const own = rejected(denied, name)
    if (own !== null) return own
  }
  if (root.kind !== 'aggregate') return inSelection(root.selection, denied)
  return inAggregate(root, denied)
}

function inAggregate(asked: Parameters<typeof countedType>[0], denied: Denied): Denial | null {
  const of = countedType(asked)
  return first(fieldsOfAggregate(asked), (field) => {
    const target = deniedTarget(denied, of, field)
    return target === null ? null : rejected(denied, target)
  })
}

function inSelection(selection: Selection, denied: Denied): Denial | null {
  if (selection === null) return null
  switch (selection.kind) {
    case 'object':
      return inObject(selection, denied)
    case 'abstract':
      // Rows of types without a selected field are hidden and do not fail the operation.
      return first(selection.possible.values(), (member) =>
        member.fields.some(({ kind }) => kind !== 'typename') ? inObject(member, denied) : null,
      )
    default:
      return first(selection.fields, (field) => {
        if (field.field === 'items') return inSelection(field.selection, denied)
        if (field.field !== 'edges') return null
        return first(field.members, (member) => (member.name === 'node' ? inSelection(member.selection, denied) : null))
      })
  }
}

function inObject({ type, fields }: ObjectSelection, denied: Denied): Denial | null {
  return (
    rejected(denied, type.name) ??
    first(fields, (field) => {
      if (field.kind !== 'field' && field.kind !== 'aggregate') return null
      if (field.kind === 'field' && field.optional === true) return null
      const own = rejected(denied, `${type.name}.${field.field.wireName}`)
      if (own !== null) return own
      const guard = first(field.field.guards ?? [], (name) => rejected(denied, name))
      if (guard !== null) return guard
      if (field.kind === 'field') return inSelection(field.selection, denied)
      return rejected(denied, countedType(field).name) ?? inAggregate(field, denied)
    })
  )
}

function rejected(denied: Denied, target: string): Denial | null {
  const denial = denied.get(target)
  return denial?.reject === true ? denial : null
}

function first<T>(items: Iterable<T>, find: (item: T) => Denial | null): Denial | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
