import { SvcError } from '../base/errors/svc-error.ts'
import { uuidV7 } from '../base/util/uuid-v7.ts'
import type { CommittedWrite } from '../contract/committed-write.ts'
import type { Session } from '../contract/database.ts'
import type { MutationCall } from '../contract/mutation-call.ts'
import type { MutationRoot, Operation } from '../contract/operation.ts'

/**
 * A written row as a test describes it. Absent members are those of a `CUSTOM` mutation that reports no row: `entity`
 * and `before` are `null`.
 */
export type TestWrite = Pick<CommittedWrite, 'mutation'> & Partial<CommittedWrite>

/**
 * A root field of a mutation as a test describes it. Absent members are those of a `CUSTOM` mutation without arguments;
 * its `session` rejects each statement.
 */
export type TestCall = Pick<MutationCall, 'mutation'> & Partial<MutationCall>

export function testWrite(write: TestWrite): CommittedWrite {
  const now = Date.now()
  return {
    id: uuidV7(now),
    time: new Date(now).toISOString(),
    kind: 'CUSTOM',
    entityType: null,
    entityId: null,
    entity: null,
    before: null,
    updatedFields: null,
    cascade: null,
    ...write,
  }
}

const NO_DATABASE: Session = {
  query: () =>
    Promise.reject(new SvcError('SERVICE_UNAVAILABLE', 'The plugin under test has no database: give `session`.')),
}

export function testCall(call: TestCall, operation: Operation): MutationCall {
  const { mutation, kind = 'CUSTOM' } = call
  const root = {
    kind: 'operation',
    responseKey: mutation,
    operation: { kind: 'mutation', name: mutation, wireName: mutation, operation: kind },
  }
  return {
    operation,
    root: { ...root, arguments: [], selection: null, location: null } as unknown as MutationRoot,
    kind,
    arguments: {},
    session: NO_DATABASE,
    dryRun: false,
    ...call,
  }
}
