export class WeatherTool extends BaseTool<Input> {
  readonly name: string = "«get_weather»get_weather";
  description = "Tells the weather";
  schema = {
    «get_weather.city»city: { type: z.string(), description: "The city" },
  };

  async execute({ city }: Input) {
    return city;
  }
}
