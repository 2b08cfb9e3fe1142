import { filterOperators, type InputShape, type TypeRef, typeRefs } from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import { bracketOperators } from '../../rest/api.ts'
import type { Components } from './components.ts'
import type { Json } from './json.ts'
import { builtinSchema } from './scalar-schema.ts'
import { annotated, objectSchema, type TypeSchemas } from './type-schemas.ts'

/** Writes JSON Schemas of filters for the OpenAPI document: which operators each type of field has. */
export class FilterSchemas {
  readonly #components: Components
  readonly #types: TypeSchemas

  constructor(components: Components, types: TypeSchemas) {
    this.#components = components
    this.#types = types
  }

  /** Schema of `field[operator]=value`, where all operands are strings. */
  brackets(field: FieldModel): Json {
    const name = filterOperators.filterTypeName(field)
    return this.#components.schema(`brackets:${name}`, name, () =>
      objectSchema(
        `Operators of a ${field.list ? 'list of ' : ''}${field.named.name}; all that are given hold.`,
        bracketOperators(field).map(({ name, operator }) => [name, this.#bracket(operator, field)]),
        [],
        true,
      ),
    )
  }

  /** Schema of `filter=<JSON>`. */
  json(type: ObjectType): Json {
    return this.#components.schema(`filter:${type.name}`, `${type.name}Filter`, () => {
      const own = this.json(type)
      const fields = [...type.fields.values()].flatMap((field) => {
        const schema = this.#condition(field)
        return schema === null ? [] : [[field.wireName, schema] as const]
      })
      const groups = [
        ['and', { type: 'array', items: own }],
        ['or', { type: 'array', items: own }],
        ['not', own],
      ] as const
      const free = groups.filter(([name]) => !type.fields.has(name))
      return objectSchema(`Conditions on ${type.name}; all of them hold.`, [...fields, ...free], [], true)
    })
  }

  #condition(field: FieldModel): Json | null {
    const { named, list, filterable, read } = field
    if (!filterable || read === null) return null
    if (named.kind === 'object') {
      if (field.type.kind === 'list' && field.type.of.kind === 'list') return null
      return list ? this.#related(named) : this.json(named)
    }
    const operators = bracketOperators(field)
    if (operators.length === 0) return null
    const name = filterOperators.filterTypeName(field)
    return this.#components.schema(`conditions:${name}`, name.replace(/Filter$/, 'Conditions'), () =>
      objectSchema(
        `Conditions on a ${list ? 'list of ' : ''}${named.name}; all of them hold.`,
        operators.map(({ name, operator }) => [name, this.#operand(operator, field)]),
        [],
        true,
      ),
    )
  }

  #related(type: ObjectType): Json {
    return this.#components.schema(`related:${type.name}`, `${type.name}ListFilter`, () =>
      objectSchema(
        `Conditions on related rows of ${type.name}.`,
        ['some', 'every', 'none'].map((name) => [name, this.json(type)]),
        [],
        true,
      ),
    )
  }

  #operand(operator: filterOperators.Operator, field: FieldModel): Json {
    const { notation, shape } = filterOperators.operandInput(operator, field)
    const ref = typeRefs.of(notation)
    const isValue = operator.operand === 'field' || operator.operand === 'list'
    // A filter with another scalar (`filter_type`) has values of that scalar.
    const ofField = isValue && shape.name === field.named.name
    const schema = ofField
      ? this.#types.of(notNull(ref), field.named, 'in')
      : shapeSchema(notNull(ref), shape, this.#components)
    return annotated(withoutRules(schema), { description: operator.description })
  }

  #bracket(operator: filterOperators.Operator, field: FieldModel): Json {
    const { notation, shape } = filterOperators.operandInput(operator, field)
    if (typeRefs.of(notation).kind === 'list') {
      return {
        type: 'string',
        description: `${operator.description} Commas between the values; quotes protect those in one.`,
      }
    }
    if (shape.kind === 'object') return { type: 'string', description: `${operator.description} JSON.` }
    const schema = this.#operand(operator, field)
    // A query string contains strings only. The scalar defines the format of numbers.
    if (schema.anyOf === undefined) return schema
    const [text] = schema.anyOf as readonly Json[]
    return annotated(text!, { description: operator.description })
  }
}

function notNull(ref: TypeRef): TypeRef {
  return { ...ref, nullable: false }
}

/** Removes the rules of the value: an operand can be a part of a value. */
function withoutRules(schema: Json): Json {
  const { pattern: _, ...rest } = schema
  return rest
}

function shapeSchema(ref: TypeRef, shape: InputShape, components: Components): Json {
  if (ref.kind === 'list') return { type: 'array', items: shapeSchema(ref.of, shape, components) }
  if (shape.kind === 'scalar') return builtinSchema(shape.name, 'in')
  if (shape.kind === 'enum') return { type: 'string', enum: [...shape.values] }
  return components.schema(`shape:${shape.name}`, shape.name, () => {
    const fields = [...shape.fields().values()]
    return objectSchema(
      shape.description,
      fields.map(({ name, type, shape: inner }) => [name, shapeSchema(notNull(type), inner, components)]),
      fields.filter(({ type }) => !type.nullable).map(({ name }) => name),
      true,
    )
  })
}
