import type { AggregateOf } from '../../core/doors/front.ts'
import type { FieldModel, FieldSelection, RootSelection, Selection } from '../../core/doors/plugin.ts'
import type { QueryLimits } from './options.ts'

type Weights = Pick<QueryLimits, 'scalar_weight' | 'object_weight' | 'list_weight'>

/** Depth and complexity of one root field of an operation. The root field counts as one level of depth. */
export interface Measured {
  readonly depth: number
  readonly complexity: number
}

const NOTHING: Measured = { depth: 0, complexity: 0 }

/**
 * Measures one root field of an operation that did not come from a GraphQL document. Fields that the client did not
 * name do not count, and of the types of a union only the largest does.
 */
export function measureRoot(root: RootSelection, weights: Weights): Measured {
  switch (root.kind) {
    case 'operation':
      return over(
        root.operation.list ? weights.list_weight : weights.object_weight,
        ofSelection(root.selection, weights),
      )
    case 'node':
      return over(weights.object_weight, ofSelection(root.selection, weights))
    case 'rows':
      return over(weights.list_weight, ofSelection(root.selection, weights))
    case 'aggregate':
      return over(weights.list_weight, ofNumbers(root.fields, weights))
    case 'literal':
    case 'typename':
    // Counted with its relation.
    case 'related':
      return NOTHING
  }
}

function over(weight: number, below: Measured): Measured {
  return { depth: below.depth + 1, complexity: below.complexity + weight }
}

function ofSelection(selection: Selection, weights: Weights): Measured {
  if (selection === null) return NOTHING
  switch (selection.kind) {
    case 'object':
      return together(selection.fields.map((field) => ofField(field, weights)))
    case 'abstract': {
      const members = [...selection.possible.values()].map((member) => ofSelection(member, weights))
      return {
        depth: Math.max(0, ...members.map(({ depth }) => depth)),
        complexity: Math.max(0, ...members.map(({ complexity }) => complexity)),
      }
    }
    case 'list':
    case 'connection':
      return together(
        selection.fields.flatMap((field) => {
          if (field.field === 'items') return [ofSelection(field.selection, weights)]
          if (field.field !== 'edges') return []
          return field.members.map((member) =>
            member.name === 'node' ? ofSelection(member.selection, weights) : NOTHING,
          )
        }),
      )
  }
}

function together(parts: readonly Measured[]): Measured {
  let depth = 0
  let complexity = 0
  for (const part of parts) {
    if (part.depth > depth) depth = part.depth
    complexity += part.complexity
  }
  return { depth, complexity }
}

function ofField(field: FieldSelection, weights: Weights): Measured {
  if (field.kind === 'aggregate') return over(weights.list_weight, ofNumbers(field.fields, weights))
  if (field.kind !== 'field' || field.optional === true) return NOTHING
  return over(weightOf(field.field, weights), ofSelection(field.selection, weights))
}

function weightOf({ named, list }: FieldModel, weights: Weights): number {
  if (named.kind === 'scalar' || named.kind === 'enum') return weights.scalar_weight
  return list ? weights.list_weight : weights.object_weight
}

function ofNumbers(fields: AggregateOf['fields'], weights: Weights): Measured {
  return together(
    fields.map((field) => {
      if (field.kind === 'typename') return NOTHING
      if (field.kind === 'object') return over(weights.object_weight, ofNumbers(field.fields, weights))
      return over(weights.scalar_weight, NOTHING)
    }),
  )
}
