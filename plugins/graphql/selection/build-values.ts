import { type ArgumentNode as ArgumentAst, Kind, type ValueNode as ValueAst } from 'graphql'
import {
  type ArgumentNode,
  type ArgumentShapes,
  compileCoercer,
  type InputShape,
  type ShapeField,
  type TypeRef,
  typeRefs,
  type ValueNode,
} from '../../../core/doors/front.ts'
import { SvcError } from '../../../core/doors/plugin.ts'
import { readLiteral } from '../types/read-literal.ts'
import { locate, type SelectionContext } from './selection-context.ts'

/**
 * Converts the arguments of a field to svc's form. An argument that the document omits has its default.
 * @param given arguments in the document
 * @param shapes arguments that the field defines
 */
export function buildArguments(
  context: SelectionContext,
  given: readonly ArgumentAst[] | undefined,
  shapes: ArgumentShapes,
): readonly ArgumentNode[] {
  const result: ArgumentNode[] = []
  const names = new Set<string>()
  for (const argument of given ?? []) {
    const name = argument.name.value
    const field = shapes.get(name)
    if (field === undefined) throw new Error(`Argument ${name} passed validation but is not in the schema`)
    names.add(name)
    result.push({ name, value: toFieldValue(context, argument.value, field, `Argument "${name}"`) })
  }
  for (const [name, field] of shapes) {
    if (!names.has(name) && field.default !== undefined) {
      result.push({ name, value: { kind: 'constant', value: coerceDefault(field) } })
    }
  }
  return result
}

/** Converts the value of an argument or input field, which can have a default. */
function toFieldValue(context: SelectionContext | null, node: ValueAst, field: ShapeField, place: string): ValueNode {
  if (node.kind !== Kind.VARIABLE || context === null) return toValue(context, node, field.type, field.shape)
  const name = node.name.value
  const variable = context.variables.get(name)
  if (variable === undefined) throw new Error(`Variable $${name} passed validation but is not declared`)
  const refuses = !field.type.nullable && variable.type.nullable
  if (field.default === undefined && !refuses) return { kind: 'variable', name, type: variable.type }
  const derived = {
    name: `${name}@${context.derived.length}`,
    source: name,
    type: field.type,
    default: field.default === undefined ? undefined : coerceDefault(field),
    refuseNull: refuses ? `${place} of non-null type "${typeRefs.print(field.type)}" must not be null.` : null,
    location: locate(node),
  }
  context.derived.push(derived)
  return { kind: 'variable', name: derived.name, type: field.type }
}

/** Converts a value. Parts without variables become constants. */
function toValue(context: SelectionContext | null, node: ValueAst, ref: TypeRef, shape: InputShape): ValueNode {
  if (node.kind === Kind.VARIABLE) {
    const variable = context?.variables.get(node.name.value)
    if (variable === undefined) throw new Error(`Variable $${node.name.value} is not declared`)
    return { kind: 'variable', name: variable.name, type: variable.type }
  }
  if (node.kind === Kind.NULL) return { kind: 'constant', value: null }
  if (ref.kind === 'list') {
    const items = node.kind === Kind.LIST ? node.values : [node]
    return foldList(items.map((item) => toValue(context, item, ref.of, shape)))
  }
  if (shape.kind === 'scalar') return { kind: 'constant', value: readScalar(shape, node) }
  if (shape.kind === 'enum') return { kind: 'constant', value: node.kind === Kind.ENUM ? node.value : null }
  if (node.kind !== Kind.OBJECT) throw new Error(`A ${node.kind} passed validation as ${shape.name}`)
  return foldObject(
    [...shape.fields().values()].flatMap((field) => {
      const given = node.fields.find((each) => each.name.value === field.name)
      if (given !== undefined) {
        return [{ name: field.name, value: toFieldValue(context, given.value, field, `Field "${field.name}"`) }]
      }
      if (field.default === undefined) return []
      return [{ name: field.name, value: { kind: 'constant' as const, value: coerceDefault(field) } }]
    }),
  )
}

function readScalar(shape: Extract<InputShape, { kind: 'scalar' }>, node: ValueAst): unknown {
  try {
    return readLiteral(shape, node)
  } catch (error) {
    const location = locate(node)
    throw new SvcError('GRAPHQL_VALIDATION_FAILED', error instanceof Error ? error.message : String(error), {
      locations: location === null ? undefined : [location],
    })
  }
}

function foldList(items: readonly ValueNode[]): ValueNode {
  const values: unknown[] = []
  for (const item of items) {
    if (item.kind !== 'constant') return { kind: 'list', items }
    values.push(item.value)
  }
  return { kind: 'constant', value: values }
}

function foldObject(fields: readonly { readonly name: string; readonly value: ValueNode }[]): ValueNode {
  const value: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.value.kind !== 'constant') return { kind: 'object', fields }
    value[field.name] = field.value.value
  }
  return { kind: 'constant', value }
}

/** Converts a literal without variables, such as the default of a variable, to its value. */
export function readConstant(node: ValueAst, ref: TypeRef, shape: InputShape): unknown {
  const value = toValue(null, node, ref, shape)
  return value.kind === 'constant' ? value.value : null
}

const coerced = new WeakMap<ShapeField, { readonly value: unknown }>()

/** Coerces the default of an argument or input field. Call it only for fields that have one. */
function coerceDefault(field: ShapeField): unknown {
  let entry = coerced.get(field)
  if (entry === undefined) {
    entry = { value: compileCoercer(field.type, field.shape)(field.default) }
    coerced.set(field, entry)
  }
  return entry.value
}
