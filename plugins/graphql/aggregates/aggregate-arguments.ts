import {
  type ArgumentShapes,
  argumentsOfField,
  argumentsOfOperation,
  type GeneratedInputs,
  GROUP_PAGE,
  inputMember,
  type ShapeField,
} from '../../../core/doors/front.ts'
import type { FieldModel, QueryModel } from '../../../core/doors/plugin.ts'
import type { AggregateField } from './aggregate-fields.ts'
import type { AggregateInputs } from './aggregate-inputs.ts'

/**
 * Returns the arguments of a generated aggregate field: the filter arguments of the list that it summarizes, and for
 * groups also `groupBy`, `having` and `orderBy`.
 */
export function argumentsOfAggregate(
  { of, type, groups }: AggregateField<QueryModel | FieldModel>,
  inputs: GeneratedInputs,
  aggregateInputs: AggregateInputs,
): ArgumentShapes {
  const own = 'source' in of ? argumentsOfOperation(of, inputs) : argumentsOfField(of, inputs)
  const declared = 'source' in of ? of.arguments : NONE
  const rows = [...own].filter(([name]) => name === 'where' || declared.has(name))
  return new Map(
    groups ? [...rows, ...groupArguments(type, aggregateInputs).map((each) => [each.name, each] as const)] : rows,
  )
}

const NONE: ReadonlyMap<string, unknown> = new Map()

function groupArguments(
  type: AggregateField<unknown>['type'],
  aggregateInputs: AggregateInputs,
): readonly ShapeField[] {
  const { groupBy, having, orderBy } = aggregateInputs.of(type)
  return [
    inputMember('groupBy', `[${groupBy.name}!]!`, groupBy, 'What rows of one group have in common.'),
    inputMember('having', having.name, having, 'Only groups that match.'),
    inputMember('orderBy', `[${orderBy.name}!]`, orderBy, 'Sort keys of the groups, the first counts most.'),
    ...GROUP_PAGE,
  ]
}
