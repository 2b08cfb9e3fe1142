/**
 * A session variable of the database for one transaction, `set_config(name, value, true)`. Name and value are bound as
 * parameters. A list of settings is applied in order.
 */
export interface Setting {
  readonly name: string
  readonly value: string
}
