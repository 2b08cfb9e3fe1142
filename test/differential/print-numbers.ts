import type { FieldModel } from '../../core/doors/plugin.ts'
import type { Value } from './print-value.ts'
import type { GroupTerm, Having } from './request.ts'

export function groupByValue(fields: readonly FieldModel[]): Value {
  return { kind: 'list', items: fields.map(({ wireName }) => ({ kind: 'name', name: wireName })) }
}

export function havingValue(having: Having): Value {
  switch (having.kind) {
    case 'and':
    case 'or':
      return one(`_${having.kind}`, { kind: 'list', items: having.parts.map(havingValue) })
    case 'not':
      return one('_not', havingValue(having.part))
    case 'test': {
      const { of, operator, operand } = having
      const test = one(operator, { kind: 'json', json: operand })
      return one(of.name, of.field === null ? test : one(of.field.wireName, test))
    }
  }
}

export function groupOrderValue(terms: readonly GroupTerm[]): Value {
  const items = terms.map(({ name, field, direction }) => {
    const way: Value = { kind: 'name', name: direction }
    return one(name, field === null ? way : one(field.wireName, way))
  })
  return { kind: 'list', items }
}

function one(key: string, value: Value): Value {
  return { kind: 'object', members: [[key, value]] }
}
