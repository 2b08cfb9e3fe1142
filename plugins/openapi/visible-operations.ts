import {
  type Exchange,
  type FieldSelection,
  type MaybePromise,
  type NamedType,
  type ObjectType,
  type Operation,
  type OperationModel,
  type Selection,
  SvcError,
} from '../../core/index.ts'

type Authorize = (exchange: Exchange, operation: Operation) => MaybePromise<Operation>

/**
 * Asks the guards which of these operations a caller may use: those that say no to him, and those that cannot say so without
 * its arguments and say no therefore, are not for him.
 */
export function createVisibility(operations: ReadonlySet<OperationModel>, authorize: Authorize) {
  const asked = [...operations].map((operation) => ({ operation, request: requestOf(operation) }))
  return async (exchange: Exchange): Promise<ReadonlySet<OperationModel>> => {
    const allowed = await Promise.all(asked.map(({ request }) => isAllowed(exchange, request)))
    return new Set(asked.flatMap(({ operation }, index) => (allowed[index] === true ? [operation] : [])))
  }

  async function isAllowed(exchange: Exchange, request: Operation): Promise<boolean> {
    try {
      await authorize(exchange, request)
      return true
    } catch (error) {
      // What is wrong with arguments is said behind the guards.
      return error instanceof SvcError && (error.code === 'VALIDATION_ERROR' || error.code === 'BAD_USER_INPUT')
    }
  }
}

function requestOf(operation: OperationModel): Operation {
  const kind = operation.kind === 'mutation' ? 'mutation' : 'query'
  const selection = selectionOf(operation.named)
  const root = { kind: 'operation', responseKey: 'asked', operation, arguments: [], selection, location: null } as const
  return { template: { kind, name: null, roots: [root], variables: [], plans: new Map() }, variables: {} }
}

const TYPENAME: FieldSelection = { kind: 'typename', responseKey: '__typename' }
const ofObject = (type: ObjectType) => ({ kind: 'object', type, fields: [TYPENAME] }) as const

function selectionOf(type: NamedType): Selection {
  if (type.kind === 'object') return ofObject(type)
  if (type.kind !== 'interface' && type.kind !== 'union') return null
  return { kind: 'abstract', possible: new Map(type.members.map((member) => [member.name, ofObject(member)])) }
}
