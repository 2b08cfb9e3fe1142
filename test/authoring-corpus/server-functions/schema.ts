import { field, ID, Int, input, list, mutation, query, type } from 'svc/authoring'
import { even } from './functions.ts'

@type({ sqlSource: 'v_user' })
export class User {
  @field(ID) id!: string
}

@input
export class CreateUser {
  @field(Int, { validate: { custom: even, message: 'Even numbers only' } }) seats!: number
}

export class Operations {
  @query(() => list(User)) users!: unknown
  @mutation(() => User, { args: { input: CreateUser } }) createUser!: unknown
}
