import type { ArgumentModel, InputFieldModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType } from '../../../core/doors/plugin.ts'

/** Returns the stored fields of a row that mutations could set: all but keys and relations. */
export function writableFields({ fields }: ObjectType): readonly FieldModel[] {
  return [...fields.values()].filter(
    ({ name, read }) => read !== null && read.from !== 'relation' && name !== 'id' && !/^pk(_|$)/.test(name),
  )
}

/**
 * Returns the members that the body of a REST request may have: the arguments, or the fields of the only input
 * argument.
 * @param args arguments that are not in the path
 */
export function bodyMembers(args: readonly ArgumentModel[]): readonly InputFieldModel[] {
  const input = bodyInput(args)
  return input === null ? args : [...input.fields.values()]
}

/**
 * Returns the input type whose fields are the members of the body, if it is the only argument; otherwise `null`.
 * @param args arguments that are not in the path
 */
export function bodyInput(args: readonly ArgumentModel[]): Extract<ArgumentModel['named'], { kind: 'input' }> | null {
  const [only, ...others] = args
  return others.length === 0 && only?.named.kind === 'input' && only.type.kind === 'named' ? only.named : null
}

/**
 * Returns the fields of a row that clients can set. A field that no create or update accepts is set by the database,
 * such as `created_at`.
 * @param mutations mutations of the resource
 */
export function settableFields(type: ObjectType, mutations: readonly MutationModel[]): readonly FieldModel[] {
  const given = new Set(
    mutations
      .filter(({ operation }) => operation === 'CREATE' || operation === 'UPDATE')
      .flatMap((mutation) => {
        const id = idArgument(mutation)
        return bodyMembers([...mutation.arguments.values()].filter((argument) => argument !== id))
      })
      .map(({ wireName }) => wireName),
  )
  return writableFields(type).filter(({ wireName }) => given.has(wireName))
}

/**
 * Tests whether a mutation sets all fields that clients can set, so that it becomes the PUT of its resource.
 * @param settable result of {@link settableFields}
 * @param args arguments of the mutation without the id
 */
export function coversAll(settable: readonly FieldModel[], args: readonly ArgumentModel[]): boolean {
  const given = new Set(bodyMembers(args).map(({ wireName }) => wireName))
  return settable.length > 0 && settable.every(({ wireName }) => given.has(wireName))
}

/**
 * Returns the argument that identifies the row: the configured one, else the first required argument with the name of a
 * key; `null`: none.
 */
export function idArgument(
  operation: Pick<MutationModel, 'arguments'> & { readonly idArg?: string | undefined },
): ArgumentModel | null {
  const all = [...operation.arguments.values()]
  const named = all.find(({ name, wireName }) => name === operation.idArg || wireName === operation.idArg)
  if (named !== undefined) return named
  const isKey = ({ name, type, named: { name: typeName } }: ArgumentModel) =>
    !type.nullable && type.kind === 'named' && ['Int', 'ID', 'UUID'].includes(typeName) && /^(id|pk|pk_.*)$/.test(name)
  return all.find(isKey) ?? null
}
