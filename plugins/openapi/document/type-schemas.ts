import type { EnumType } from '../../../core/doors/driver.ts'
import {
  type InputFieldModel,
  type InputType,
  type InterfaceType,
  isRowType,
  type NamedType,
  type Rule,
  type TypeRef,
} from '../../../core/doors/front.ts'
import type { FieldModel, ObjectType } from '../../../core/doors/plugin.ts'
import type { Components } from './components.ts'
import { compact, type Json, paragraphs } from './json.ts'
import { type Flow, scalarSchema } from './scalar-schema.ts'

/** Writes the JSON Schemas of GraphQL types for the OpenAPI document. */
export class TypeSchemas {
  readonly #components: Components

  constructor(components: Components) {
    this.#components = components
  }

  /** Returns the schema of a value of this type. */
  of(ref: TypeRef, named: NamedType, flow: Flow): Json {
    const schema =
      ref.kind === 'list' ? { type: 'array', items: this.of(ref.of, named, flow) } : this.named(named, flow)
    return ref.nullable ? nullable(schema, this.#components) : schema
  }

  /** Returns the schema of a non-null value of a named type. */
  named(type: NamedType, flow: Flow): Json {
    switch (type.kind) {
      case 'scalar':
        return scalarSchema(type, flow)
      case 'enum':
        return this.#components.schema(`type:${type.name}`, type.name, () => enumSchema(type))
      case 'input':
        return this.#components.schema(`type:${type.name}`, type.name, () => this.#input(type))
      case 'object':
        return this.#components.schema(`type:${type.name}`, type.name, () => this.#object(type))
      default:
        return this.#components.schema(`type:${type.name}`, type.name, () => this.#abstract(type))
    }
  }

  /** Returns the schema of a member of a body, with its rules. */
  member(field: InputFieldModel): Json {
    const { type, named, description, deprecated, default: byDefault } = field
    const schema = this.of(type, named, 'in')
    const rules = typeof schema.type === 'string' ? rulesSchema(field) : {}
    return annotated({ ...schema, ...rules }, { description, deprecated, byDefault })
  }

  #input({ fields, description }: InputType): Json {
    const all = [...fields.values()]
    const required = all.filter(({ type, default: value }) => !type.nullable && value === undefined)
    return objectSchema(
      description,
      all.map((field) => [field.wireName, this.member(field)]),
      required.map(({ wireName }) => wireName),
      true,
    )
  }

  /** Returns the schema of an object. No member is required, because `select` chooses fields. */
  #object(type: ObjectType): Json {
    const fields = [...type.fields.values()].map((field) => [field.wireName, this.#field(field)] as const)
    return objectSchema(type.description, fields, [], false)
  }

  #field(field: FieldModel): Json {
    const { type, named, description, deprecated, read, requiresScope, requiresRole, onDeny } = field
    // A masked field is null for some callers, whatever its type is.
    const isMasked =
      (requiresScope !== undefined || requiresRole.length > 0 || field.authorize !== undefined) && onDeny === 'mask'
    const schema = this.of(type, named, 'out')
    const isRelation = read?.from === 'relation' && isRowType(named)
    return annotated(isMasked && !type.nullable ? nullable(schema, this.#components) : schema, {
      description: paragraphs(
        description,
        isRelation ? `Comes when it is selected: \`select=${field.wireName}(…)\`.` : undefined,
        rightsText(field),
      ),
      deprecated,
    })
  }

  #abstract(type: InterfaceType | Extract<NamedType, { kind: 'union' }>): Json {
    const members = type.members.map((member) =>
      this.#components.schema(`member:${type.name}:${member.name}`, `${type.name}_${member.name}`, () => ({
        allOf: [
          {
            type: 'object',
            required: ['__typename'],
            properties: { __typename: { type: 'string', enum: [member.name] } },
          },
          this.named(member, 'out'),
        ],
      })),
    )
    const mapping = Object.fromEntries(type.members.map(({ name }, index) => [name, members[index]!.$ref]))
    return compact({
      description: type.description,
      oneOf: members,
      discriminator: { propertyName: '__typename', mapping },
    })
  }
}

function enumSchema({ values, description }: EnumType): Json {
  const lines = values.flatMap(({ name, description, deprecated }) => {
    const text = [description, deprecated === undefined ? undefined : `Deprecated: ${deprecated}`]
      .filter((one) => one !== undefined)
      .join(' ')
    return text === '' ? [] : [`- \`${name}\`: ${text}`]
  })
  const text = paragraphs(description, lines.length === 0 ? undefined : lines.join('\n'))
  return compact({ type: 'string', enum: values.map(({ name }) => name), description: text })
}

export function objectSchema(
  description: string | undefined,
  properties: readonly (readonly [string, Json])[],
  required: readonly string[],
  isClosed: boolean,
): Json {
  return compact({
    type: 'object',
    description,
    properties: Object.fromEntries(properties),
    required: required.length === 0 ? undefined : required,
    additionalProperties: isClosed ? false : undefined,
  })
}

interface Annotations {
  readonly description?: string | undefined
  readonly deprecated?: string | undefined
  readonly byDefault?: unknown
}

/**
 * Adds description, deprecation and default to a JSON Schema. It wraps a reference, because OpenAPI 3.0 ignores members
 * beside `$ref`.
 */
export function annotated(schema: Json, { description, deprecated, byDefault }: Annotations): Json {
  const text = paragraphs(description, deprecated === undefined ? undefined : `Deprecated: ${deprecated}`)
  const notes = compact({
    description: text,
    deprecated: deprecated === undefined ? undefined : true,
    default: byDefault,
  })
  if (Object.keys(notes).length === 0) return schema
  return schema.$ref === undefined ? { ...schema, ...notes } : { allOf: [schema], ...notes }
}

/**
 * Describes the scope and roles that an operation or field requires, for a description in the OpenAPI document;
 * `undefined`: none.
 */
export function rightsText({
  requiresScope,
  requiresRole,
}: {
  readonly requiresScope: string | undefined
  readonly requiresRole: readonly string[]
}): string | undefined {
  const needs = [
    ...(requiresScope === undefined ? [] : [`the scope \`${requiresScope}\``]),
    ...(requiresRole.length === 0 ? [] : [`the role ${requiresRole.map((role) => `\`${role}\``).join(' or ')}`]),
  ]
  return needs.length === 0 ? undefined : `Needs ${needs.join(' and ')}.`
}

/** Makes a schema nullable. OpenAPI 3.0.3 allows `nullable` only beside `type`, so a reference is wrapped in a choice. */
function nullable(schema: Json, components: Components): Json {
  if (typeof schema.type === 'string') {
    const { enum: values } = schema
    return { ...schema, nullable: true, ...(Array.isArray(values) ? { enum: [...values, null] } : {}) }
  }
  // A schema without type allows null already.
  if (schema.$ref === undefined && schema.anyOf === undefined && schema.oneOf === undefined) return schema
  const none = components.schema('null', 'Null', () => ({
    type: 'string',
    nullable: true,
    enum: [null],
    description: 'Null.',
  }))
  const all = Array.isArray(schema.anyOf) ? schema.anyOf : [schema]
  const { anyOf: _, ...rest } = schema.$ref === undefined ? schema : {}
  return { ...rest, anyOf: [...(schema.oneOf === undefined ? all : [schema]), none] }
}

/** Converts the rules that JSON Schema can express. The service enforces the others, which the document does not contain. */
function rulesSchema({ rules, named }: InputFieldModel): Json {
  return Object.assign({}, ...rules.map((rule) => ruleSchema(rule, named.name === 'Int' || named.name === 'Float')))
}

function ruleSchema(rule: Rule, isNumber: boolean): Json {
  switch (rule.type) {
    case 'pattern':
      return isPattern(rule.value) ? { pattern: rule.value } : {}
    case 'length':
      return bounds(rule.value, 'minLength', 'maxLength')
    case 'range':
      return isNumber ? bounds(rule.value, 'minimum', 'maximum') : {}
    case 'enum':
      return isNumber ? {} : { enum: rule.value }
    default:
      return {}
  }
}

function bounds({ min, max }: { min?: number; max?: number }, least: string, most: string): Json {
  return { ...(min === undefined ? {} : { [least]: min }), ...(max === undefined ? {} : { [most]: max }) }
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
