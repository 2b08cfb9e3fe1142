import { type PreparedWrite, SvcError, type WritePlan } from '../../../core/index.ts'

/** Mutations are refused by name until they are written. @throws SvcError */
export function refuseWrite({ root }: WritePlan): PreparedWrite {
  throw new SvcError('INTERNAL_SERVER_ERROR', `${root.operation.wireName}: the driver "sqlite" runs no mutations.`)
}
