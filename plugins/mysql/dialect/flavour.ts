import type { SqlFragment } from '../../../core/doors/driver.ts'
import { sql } from '../../../core/doors/plugin.ts'

/** Differences between MariaDB and MySQL in the SQL that svc writes. */
export interface Flavour {
  readonly name: 'mariadb' | 'mysql'
  /** `true`: a subquery in FROM can refer to an outer row (MySQL 8.0.14). MariaDB has no such subqueries. */
  readonly isLateral: boolean
  /** Collation that compares texts by their code points, without the padding of `CHAR`. */
  readonly exact: SqlFragment
  /**
   * Writes JSON in the collation of a JSON column. The columns of a view, and those of JSON_TABLE, have that of the
   * database, and joining texts of two collations is error 1271.
   */
  readonly jsonText: (json: SqlFragment) => SqlFragment
  /** Writes a text of a JSON value that equal values share. */
  readonly jsonKey: (json: SqlFragment) => SqlFragment
}

export const MARIADB: Flavour = {
  name: 'mariadb',
  isLateral: false,
  exact: sql`utf8mb4_nopad_bin`,
  jsonText: (json) => sql`${json} COLLATE utf8mb4_bin`,
  jsonKey: (json) => sql`JSON_NORMALIZE(${json})`,
}

/** MySQL 8.0.14 and later. */
export const MYSQL_8: Flavour = {
  name: 'mysql',
  isLateral: true,
  exact: sql`utf8mb4_0900_bin`,
  jsonText: (json) => json,
  // MySQL sorts the keys of a JSON value and removes duplicates when it parses the text.
  jsonKey: (json) => sql`CAST(CAST(${json} AS JSON) AS CHAR)`,
}
