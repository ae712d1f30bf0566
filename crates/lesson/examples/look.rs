use tokenyard_lesson::Place;
use tokenyard_lab::luck;
fn main() {
    for a in std::env::args().skip(1) {
        let Ok(p) = Place::read(&a) else { println!("{a}: {:?}", Place::read(&a).err()); continue };
        println!("== {a}  answer {}", (p.lab.prediction.outcome)(&p.state.setup));
        let t = p.lab.table(&p.state.setup);
        let s: Vec<Vec<f64>> = (0..200).map(|i| luck::sample(p.lab, &p.state.setup, p.lab.luck.0 + i)).collect();
        let n = p.lab.columns.len();
        println!("{:22} {}", "", p.lab.columns.iter().map(|c| format!("{:>26}", c.key)).collect::<String>());
        for (i, r) in t.rows.iter().enumerate() {
            print!("{:20}{} ", r.id, r.lane.map_or(" ".into(), |l| l.to_string()));
            for c in 0..n {
                let x = luck::spread(&s, i*n+c, r.cells[c]).unwrap();
                print!("{:>26}", format!("{:.2}[{:.2} {:.2} {:.2}]", r.cells[c], x.low, x.median, x.high));
            }
            println!();
        }
    }
}
