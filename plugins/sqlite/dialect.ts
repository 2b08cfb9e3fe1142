import { type Dialect, SvcError } from '../../core/index.ts'

/** The engine cannot answer over this driver yet: what it is asked for is refused by name, and nothing is advertised. */
function refuse(): never {
  throw new SvcError('SVC_DATABASE_MISSING', 'The engine does not speak the SQL of "sqlite" yet.')
}

/** SQLite as far as the engine knows it: no operator, no statement. */
export const SQLITE: Dialect = {
  name: 'sqlite',
  operators: new Set(),
  read: refuse,
  write: refuse,
  describeCall: () => null,
  isReadByCast: () => false,
  errors: {
    read: (error) =>
      error instanceof SvcError
        ? error
        : new SvcError('INTERNAL_SERVER_ERROR', 'The database refused the statement.', { cause: error }),
    readStored: () => null,
    readGuard: () => null,
    writeFault: () => null,
    isTransient: () => false,
    isRaised: () => false,
    missingRelation: () => null,
  },
}
