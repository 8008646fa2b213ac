src/greeting.tool.ts
@Injectable()
export class GreetingTool {
  @Tool({
    name: 'hello-world',
    description: 'Greets',
    parameters: z.object({ name: z.string().default('World') }),
  })
  async sayHello({ name }, context: Context) {
    return `Hello, ${name}!`;
  }
}
