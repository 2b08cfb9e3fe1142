import type { ArgumentModel, InputFieldModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType } from '../../../core/doors/plugin.ts'

/** Returns the fields of a row that mutations can set: stored fields without keys. */
export function writableFields({ fields }: ObjectType): readonly FieldModel[] {
  return [...fields.values()].filter(
    ({ name, read }) => read !== null && read.from !== 'relation' && name !== 'id' && !/^pk(_|$)/.test(name),
  )
}

/** Returns the members of a body: arguments, or the fields of the only input. */
export function bodyMembers(args: readonly ArgumentModel[]): readonly InputFieldModel[] {
  const input = bodyInput(args)
  return input === null ? args : [...input.fields.values()]
}

/** Returns the input type whose fields are the members of the body, if the operation has only this argument. */
export function bodyInput(args: readonly ArgumentModel[]): Extract<ArgumentModel['named'], { kind: 'input' }> | null {
  const [only, ...others] = args
  return others.length === 0 && only?.named.kind === 'input' && only.type.kind === 'named' ? only.named : null
}

/**
 * Returns the fields of a row that clients can set. Fields that no mutation accepts (`created_at`, a generated column) are set by the
 * database.
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

/** Tests whether a mutation sets all settable fields. Then it is the PUT of the resource. */
export function coversAll(settable: readonly FieldModel[], args: readonly ArgumentModel[]): boolean {
  const given = new Set(bodyMembers(args).map(({ wireName }) => wireName))
  return settable.length > 0 && settable.every(({ wireName }) => given.has(wireName))
}

/** Returns the argument that identifies the row: the first required argument with the name of a key. */
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
