/** `'svc/front'`: for plugins that add a way in (a protocol, an endpoint, a stream) on the compiled schema. */

export { CODES } from '../base/errors/codes.ts'
export { InputErrors } from '../base/errors/input-errors.ts'
export { ExactNumber } from '../base/util/exact-number.ts'
export { LentText } from '../base/util/lent-text.ts'
export { claimPathFault } from '../base/util/lookup.ts'
export { toSnakeCase, toWireName } from '../base/util/naming.ts'
export { nearest } from '../base/util/nearest.ts'
export { settlesWithin } from '../base/util/settles-within.ts'
export { shorten } from '../base/util/shorten.ts'
export { streamBody } from '../base/util/stream-body.ts'
export { valueKey } from '../base/util/value-key.ts'
export type { AggregateOf } from '../contract/aggregate-of.ts'
export type { OwnedCredential } from '../contract/credential.ts'
export type { Explanation } from '../contract/explanation.ts'
export type { GenerationSlot } from '../contract/generation.ts'
export type { CallResult, Precondition, VariableDeclaration, WriteOptions } from '../contract/operation.ts'
export type { ColumnStream } from '../contract/result-stream.ts'
export type { EdgeMember, WrapperField, WrapperSelection } from '../contract/selection.ts'
export type { UpgradeHandler } from '../contract/upgrade.ts'
export type { ArgumentNode, Location, ValueNode } from '../contract/value-node.ts'
export type { WriteOnce } from '../contract/write-once.ts'
export { refuseMasked } from '../engine/access/refuse-masked.ts'
export type { ChangeEvent } from '../engine/changes/change-event.ts'
export { type ResultRoot, rootsOf } from '../engine/execute/result-roots.ts'
export {
  type ArgumentShapes,
  argumentsOfField,
  argumentsOfOperation,
  GROUP_PAGE,
  NODE_ARGUMENTS,
} from '../engine/inputs/arguments.ts'
export { type FieldChoice, fieldChoice } from '../engine/inputs/choose-fields.ts'
export { defaultSelection, selectionOf } from '../engine/inputs/default-selection.ts'
export {
  createGeneratedInputs,
  type GeneratedInputs,
  inputMember,
  isRowType,
  ORDER_DIRECTION,
  type RowType,
} from '../engine/inputs/generated-inputs.ts'
export { createOperationMaker, type OperationMaker } from '../engine/inputs/operation-from-values.ts'
export { schemaOfAnswer } from '../engine/inputs/schema-of-answer.ts'
export { schemaOfArguments } from '../engine/inputs/schema-of-arguments.ts'
export { SEARCH_ARGUMENT, searchableFields } from '../engine/plan/conditions/search.ts'
export { isOrderable } from '../engine/plan/rows/order.ts'
export { argumentsOf, valueProblem } from '../engine/plan/values/arguments-of.ts'
export { fitsField } from '../engine/plan/values/fits-field.ts'
export { keyArguments, namesKey } from '../engine/plan/write/key-argument.ts'
export { AGGREGATE_SUFFIXES } from '../schema/aggregate-names.ts'
export { type Aggregates, aggregatesOf, type FieldFunction } from '../schema/aggregates-of.ts'
export { type Coercer, coerceInput, compileCoercer, toInputError } from '../schema/coerce.ts'
export { groupedBy } from '../schema/group-keys.ts'
export {
  type EnumShape,
  type InputShape,
  lazily,
  type ObjectShape,
  type ScalarShape,
  type ShapeField,
  shapeOf,
} from '../schema/input-shape.ts'
export { isAcross } from '../schema/link/link-fields.ts'
export type { ArgumentModel, SubscriptionModel } from '../schema/operation-model.ts'
export { queriesGiving } from '../schema/queries-giving.ts'
export { rowFilterProblem, splitRowFilter } from '../schema/row-filter.ts'
export type { Rule } from '../schema/rules.ts'
export { findScalar } from '../schema/scalars.ts'
export type { InputFieldModel, InputType, InterfaceType, NamedType } from '../schema/type-model.ts'
export type { TypeRef } from '../schema/type-ref.ts'
export { isOpenOperation } from '../service/lifecycle/default-policy.ts'
export { deniedBehind } from '../service/lifecycle/denied-behind.ts'
export { enterAs, readIdentity } from '../service/lifecycle/enter-as.ts'
export { mayCall } from '../service/lifecycle/may-call.ts'
export { stateOf } from '../service/tables/make-table.ts'
export * as changes from './front/changes.ts'
export * as expressions from './front/expressions.ts'
export * as filterOperators from './front/filter-operators.ts'
export * as http from './front/http.ts'
export * as jsonText from './front/json-text.ts'
export * as queryStrings from './front/query-strings.ts'
export * as typeRefs from './front/type-refs.ts'
