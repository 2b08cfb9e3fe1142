import type { ParameterDescription } from '../../rest/api.ts'
import type { Components } from './components.ts'
import type { FilterSchemas } from './filter-schemas.ts'
import { compact, type Json, paragraphs } from './json.ts'
import type { TypeSchemas } from './type-schemas.ts'

/** Writes OpenAPI parameter objects for the path, query and header parameters of REST routes. */
export class ParameterObjects {
  readonly #components: Components
  readonly #types: TypeSchemas
  readonly #filters: FilterSchemas

  constructor(components: Components, types: TypeSchemas, filters: FilterSchemas) {
    this.#components = components
    this.#types = types
    this.#filters = filters
  }

  of(parameter: ParameterDescription): Json {
    switch (parameter.kind) {
      case 'argument':
        return this.#argument(parameter)
      case 'field': {
        const { name, field, operators } = parameter
        const short = operators.some(({ name }) => name === 'eq')
          ? `\`${name}=…\` is short for \`${name}[eq]=…\`.`
          : undefined
        return compact({
          name,
          in: 'query',
          style: 'deepObject',
          explode: true,
          description: paragraphs(
            `Rows by \`${field.wireName}\`: \`${name}[${operators[0]?.name ?? 'eq'}]=…\` and its other operators. ${short ?? ''}`.trim(),
            name.includes('.') ? `Of the list that \`select=${name.split('.')[0]}(…)\` embeds.` : undefined,
          ),
          deprecated: field.deprecated === undefined ? undefined : true,
          schema: this.#filters.brackets(field),
        })
      }
      case 'filter': {
        const { type, mostBytes } = parameter
        return {
          name: 'filter',
          in: 'query',
          description: `Conditions as JSON, of at most ${mostBytes} bytes, with groups and across relations.`,
          content: { 'application/json': { schema: this.#filters.json(type) } },
        }
      }
      case 'group': {
        const { name, fields } = parameter
        const means = { or: 'one of them holds', and: 'all of them hold', not: 'they do not hold together' }
        const [first = 'id', second = first] = fields
        return {
          name,
          in: 'query',
          description: `Conditions of which ${means[name]}: members in parentheses, which may be groups themselves.`,
          schema: { type: 'string' },
          example: `(${first}[is_null]=false,${second}[is_null]=true)`,
        }
      }
      case 'sort': {
        const { name, keys } = parameter
        const terms = keys.flatMap((key) => [key, `-${key}`])
        return {
          name,
          in: 'query',
          style: 'form',
          explode: false,
          description:
            'Fields with commas between them; `-` in front sorts downwards, `.nullsfirst` or `.nullslast` behind says where rows without a value stand.',
          schema: {
            type: 'array',
            items: {
              type: 'string',
              enum: [
                ...terms,
                ...['nullsfirst', 'nullslast'].flatMap((nulls) => terms.map((term) => `${term}.${nulls}`)),
              ],
            },
          },
        }
      }
      case 'select': {
        const names = [...parameter.type.fields.keys()].slice(0, 2)
        return {
          name: 'select',
          in: 'query',
          description:
            'Fields with commas between them. `relation(field,…)` embeds related rows, `name:field` renames, `relation.count` counts. Without it all stored fields come.',
          schema: { type: 'string' },
          example: names.join(','),
        }
      }
      case 'search':
        return {
          name: 'search',
          in: 'query',
          description: `Words to look for in ${parameter.fields.map((name) => `\`${name}\``).join(', ')}, as in a web search; the best match comes first.`,
          schema: { type: 'string', minLength: 1 },
        }
      case 'count': {
        const { name, byDefault, most } = parameter
        return {
          name,
          in: 'query',
          description: `${name.endsWith('offset') ? 'Rows to leave out first.' : 'Rows that come, at most.'}${most === null ? '' : ` More than ${most} is read as ${most}.`}`,
          schema: compact({ type: 'integer', format: 'int32', minimum: 0, default: byDefault ?? undefined }),
        }
      }
      case 'cursor':
        return {
          name: parameter.name,
          in: 'query',
          description: `Rows ${parameter.name} this cursor, which a link of another page has.`,
          schema: { type: 'string' },
        }
      case 'header': {
        const { name, description, example } = parameter
        const key = `${name} ${description}`
        return this.#components.refer('parameters', key, name, () => ({
          name,
          in: 'header',
          description,
          schema: { type: 'string' },
          example,
        }))
      }
    }
  }

  #argument({ in: place, argument, required }: Extract<ParameterDescription, { kind: 'argument' }>): Json {
    const { wireName: name, type, named, description, deprecated } = argument
    const isJson = named.kind === 'input' || named.name === 'JSON'
    const schema = textual(
      this.#types.member({
        ...argument,
        description: undefined,
        deprecated: undefined,
        type: { ...type, nullable: false },
      }),
    )
    return compact({
      name,
      in: place,
      required: required ? true : undefined,
      description: paragraphs(description, deprecated === undefined ? undefined : `Deprecated: ${deprecated}`),
      deprecated: deprecated === undefined ? undefined : true,
      ...(isJson ? { content: { 'application/json': { schema } } } : { schema }),
      ...(type.kind === 'list' && !isJson ? { style: 'form', explode: false } : {}),
    })
  }
}

/** Reduces "string or number" to a string: a URL contains strings only. */
function textual(schema: Json): Json {
  const { anyOf, ...rest } = schema
  return Array.isArray(anyOf) ? { ...(anyOf[0] as Json), ...rest } : schema
}
