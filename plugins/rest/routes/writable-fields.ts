import type { ArgumentModel, InputFieldModel } from '../../../core/doors/front.ts'
import type { FieldModel, MutationModel, ObjectType } from '../../../core/doors/plugin.ts'

/** What a mutation may set of a row: declared fields that are stored in it, without its keys. */
export function writableFields({ fields }: ObjectType): readonly FieldModel[] {
  return [...fields.values()].filter(
    ({ name, read }) => read !== null && read.from !== 'relation' && name !== 'id' && !/^pk(_|$)/.test(name),
  )
}

/** The members that a body of this mutation has: arguments, or the fields of its one input. */
export function bodyMembers(args: readonly ArgumentModel[]): readonly InputFieldModel[] {
  const input = bodyInput(args)
  return input === null ? args : [...input.fields.values()]
}

/** The input type whose fields are the body, where one argument of that kind is all there is. */
export function bodyInput(args: readonly ArgumentModel[]): Extract<ArgumentModel['named'], { kind: 'input' }> | null {
  const [only, ...others] = args
  return others.length === 0 && only?.named.kind === 'input' && only.type.kind === 'named' ? only.named : null
}

/**
 * The fields of a row that clients can set at all: what no mutation takes (`created_at`, a generated column) is the
 * database's own.
 * @param mutations those of the resource
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

/** Does the mutation set everything that can be set? Then it is the PUT of the resource. */
export function coversAll(settable: readonly FieldModel[], args: readonly ArgumentModel[]): boolean {
  const given = new Set(bodyMembers(args).map(({ wireName }) => wireName))
  return settable.length > 0 && settable.every(({ wireName }) => given.has(wireName))
}

/** The argument that says which row: the first that has to be given and is named like a key. */
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
